import { Tokens } from '@app/kernel';
import { candidatesOf, findModel, type ModelCatalog, NO_MODELS, overlaid, requireModel } from '../index.js';
import { model } from './builders.js';

const catalog: ModelCatalog = {
  ...NO_MODELS,
  models: [
    model('claude-opus-4-5'),
    model('claude-sonnet-4-6'),
    model('claude-opus-5', { aliases: ['opus'] }),
    model('gpt-4o'),
    model('gpt-4o-2024-05-13'),
    model('gpt-5.1-chat'),
  ],
};
const found = (name: string): string | undefined => {
  const hit = findModel(catalog, name);
  return hit && `${hit.record.id} by ${hit.seller}`;
};

describe('a model name', () => {
  it.each([
    ['claude-opus-4-5', 'claude-opus-4-5 by vendor'],
    ['opus', 'claude-opus-5 by vendor'],
    ['Claude-Opus-5 ', 'claude-opus-5 by vendor'],
    ['claude-opus-4-5-20251101', 'claude-opus-4-5 by vendor'],
    ['claude-opus-4.5', 'claude-opus-4-5 by vendor'],
    ['claude-sonnet-4.6', 'claude-sonnet-4-6 by vendor'],
    ['gpt-4o-2024-11-20', 'gpt-4o by vendor'],
    ['gpt-5.1-chat-latest', 'gpt-5.1-chat by vendor'],
    ['anthropic.claude-opus-4-5-20251101-v1:0', 'claude-opus-4-5 by bedrock'],
    ['us.anthropic.claude-opus-4-5-20251101-v1:0', 'claude-opus-4-5 by bedrock'],
    ['bedrock/global.anthropic.claude-opus-5', 'claude-opus-5 by bedrock'],
    [
      'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-4-5-20251101-v1:0',
      'claude-opus-4-5 by bedrock',
    ],
    ['claude-opus-4-5@20251101', 'claude-opus-4-5 by vertex'],
    ['claude-opus-5@default', 'claude-opus-5 by vertex'],
    ['publishers/anthropic/models/claude-opus-5', 'claude-opus-5 by vertex'],
    ['vertex_ai/claude-opus-5', 'claude-opus-5 by vertex'],
    ['openrouter/anthropic/claude-opus-4.5', 'claude-opus-4-5 by router'],
    ['openai/gpt-4o', 'gpt-4o by router'],
  ])('%s is %s', (name, expected) => expect(found(name)).toBe(expected));

  it('resolves to the snapshot of its date if there is one', () =>
    expect(found('gpt-4o-2024-05-13')).toBe('gpt-4o-2024-05-13 by vendor'));

  it.each(['claude-opus-9', 'claude', 'gpt-4o-mini', 'opus-4-5', '', 'someone/gpt-4o', 'default'])(
    'stays unknown if it is similar only: %j',
    (name) => {
      expect(found(name)).toBeUndefined();
      expect(() => requireModel(catalog, name)).toThrow(expect.objectContaining({ code: 'unknown-model' }));
    },
  );

  it('carries the rules that resolved it', () =>
    expect(candidatesOf('us.anthropic.claude-opus-4-5-20251101-v1:0').at(-1)).toEqual({
      name: 'claude-opus-4-5',
      seller: 'bedrock',
      rules: ['bedrock-region', 'bedrock-vendor', 'bedrock-version', 'dated'],
    }));
});

describe('model overrides', () => {
  it('replace single fields, and record their origin', () => {
    const told = overlaid(catalog, [{ id: 'gpt-4o', window: Tokens(64_000) }], 'tenant');
    expect(findModel(told, 'gpt-4o')?.record).toEqual({
      ...model('gpt-4o', { window: Tokens(64_000) }),
      origin: 'tenant',
    });
    expect(findModel(told, 'claude-opus-5')?.record.origin).toBe('shipped');
  });
  it('add an unknown model if they state its window', () => {
    const told = overlaid(
      catalog,
      [{ id: 'ours', window: Tokens(32_000) }, { id: 'windowless' }],
      'operator',
    );
    expect(findModel(told, 'ours')?.record).toMatchObject({ window: 32_000, prices: [], origin: 'operator' });
    expect(findModel(told, 'windowless')).toBeUndefined();
  });
});
