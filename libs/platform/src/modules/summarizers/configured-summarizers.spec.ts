import { extractiveSummarizer } from '@app/adapters/summarizer-extractive';
import {
  DEFAULT_PROFILE,
  initialTenant,
  NO_MODELS,
  type TenantState,
  type TenantSummarizers,
} from '@app/domain';
import { AppError, TenantId } from '@app/kernel';
import type { SummaryRequest } from '@app/ports';
import { quarterCounter } from '@app/testing';
import { parseConfig } from '../../config.js';
import { configuredSummarizers } from './configured-summarizers.js';

const tenant = TenantId('default');
const own = (summarizers: TenantSummarizers): TenantState => {
  const state = initialTenant(tenant);
  return state.status === 'registered' ? { ...state, summarizers } : state;
};
const KEYS = { PALIMPSEST_ANTHROPIC_KEY: 'k', PALIMPSEST_OPENAI_KEY: 'k' };

/** Who is chosen, by name and model, for a session of the model `m`. */
const chosen = async (
  summarizer: string,
  configured: string | undefined,
  state: TenantState = { status: 'absent' },
) => {
  const config = parseConfig({
    ...KEYS,
    ...(configured !== undefined && { PALIMPSEST_SUMMARIZER: configured }),
  });
  const choice = configuredSummarizers({
    config,
    keys: { ANTHROPIC: 'k', OPENAI: 'k' },
    tenants: { load: async () => ({ state, revision: undefined }) },
    secrets: {
      read: async (_, name) => {
        if (name === 'there') return 'k';
        throw new AppError('secret-not-found', 'there is no such secret');
      },
    },
    models: { catalogFor: async () => NO_MODELS },
    extractive: extractiveSummarizer(quarterCounter),
    observe: (one) => one,
  });
  return choice.choose({ tenant, profile: { ...DEFAULT_PROFILE, summarizer }, model: 'm' });
};
const namesOf = async (...args: Parameters<typeof chosen>): Promise<readonly string[]> =>
  (await chosen(...args)).map(({ identity: { name, model } }) => (model ? `${name}:${model}` : name));

const CAREFUL: TenantSummarizers = {
  default: 'careful',
  summarizers: {
    careful: [{ provider: 'openai-chat', secret: 'there' }, { provider: 'extractive' }],
    broken: [{ provider: 'anthropic', model: 'n', secret: 'gone' }],
  },
};

describe('who summarizes', () => {
  it('is nobody’s model where nothing is configured, or the profile wants none', async () => {
    expect(await namesOf('default', undefined)).toEqual(['extractive']);
    expect(await namesOf('extractive', 'anthropic', own(CAREFUL))).toEqual(['extractive']);
  });

  it('is the operator’s choice, in its order, with the session’s own model where none is named', async () =>
    expect(await namesOf('default', 'anthropic, openai-responses:a:b, extractive')).toEqual([
      'anthropic:m',
      'openai-responses:a:b',
      'extractive',
    ]));

  it('is the tenant’s choice before the operator’s', async () => {
    expect(await namesOf('default', 'anthropic', own(CAREFUL))).toEqual(['openai-chat:m', 'extractive']);
    expect(await namesOf('default', 'anthropic', own({ ...CAREFUL, default: null }))).toEqual([
      'anthropic:m',
    ]);
  });

  it('can repeat a session’s request where it is the session’s own model alone', async () => {
    const [same] = await chosen('default', 'anthropic');
    const [other] = await chosen('default', 'anthropic:n');
    expect([same.repeats, other.repeats]).toEqual(['anthropic', undefined]);
  });

  it.each([
    ['other', 'summarizer other'],
    ['broken', 'secret gone'],
  ])('is somebody who fails with what is missing: %s', async (name, missing) => {
    const [summarizer] = await chosen(name, undefined, own(CAREFUL));
    const request: SummaryRequest = JSON.parse('{}');
    await expect(summarizer.summarize(request, new AbortController().signal)).rejects.toMatchObject({
      fault: 'not-configured',
      message: expect.stringContaining(missing),
    });
  });
});

describe('the setting of who summarizes', () => {
  it.each(['gemini', 'anthropic:', 'extractive:x', 'anthropic,,extractive'])('is not %s', (text) =>
    expect(() => parseConfig({ ...KEYS, PALIMPSEST_SUMMARIZER: text })).toThrow('PALIMPSEST_SUMMARIZER'),
  );

  it('needs the key of each provider that it names, or its file', () => {
    expect(() => parseConfig({ PALIMPSEST_SUMMARIZER: 'anthropic' })).toThrow('PALIMPSEST_ANTHROPIC_KEY');
    expect(() => parseConfig({ PALIMPSEST_SUMMARIZER: 'openai-chat', ...KEYS })).not.toThrow();
    const both = { PALIMPSEST_OPENAI_KEY: 'k', PALIMPSEST_OPENAI_KEY_FILE: 'f' };
    expect(() => parseConfig({ PALIMPSEST_SUMMARIZER: 'openai-chat', ...both })).toThrow();
  });
});
