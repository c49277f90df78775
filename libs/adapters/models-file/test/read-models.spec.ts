import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { costOf, findModel, tokenizerOf } from '@app/domain';
import { IsoTime, Tokens } from '@app/kernel';
import { readModels } from '../src/read-models.js';

const folder = mkdtempSync(join(tmpdir(), 'models-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const written = (content: unknown): string => {
  files += 1;
  const path = join(folder, `${files}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const file = (...models: object[]) => ({ version: 1, currency: 'USD per million tokens', models });
const evidence = { source: 'the test', asOf: '2026-11-21', confidence: 'high' };
const usage = {
  inputTokens: Tokens(1_000_000),
  cacheReadTokens: Tokens(0),
  cacheWriteTokens: Tokens(0),
  outputTokens: Tokens(0),
};
const now = IsoTime('2026-11-21T00:00:00Z');

describe('the shipped models', () => {
  const shipped = readModels();
  it('state the source of their figures and how their tokens are counted', () => {
    expect(shipped.models.length).toBeGreaterThan(50);
    for (const { id, evidence: told, tokenizer } of shipped.models) {
      expect({ id, told }).toEqual({ id, told: expect.objectContaining({ asOf: expect.any(String) }) });
      expect(shipped.tokenizers.map(({ family }) => family)).toContain(tokenizer);
    }
  });
  it('have unique names', () => {
    const names = shipped.models.flatMap(({ id, aliases }) => [id, ...aliases]);
    expect(names).toEqual([...new Set(names)]);
  });
  it('have limits within their windows', () => {
    for (const { id, window, inputMax = window, outputMax = 0 } of shipped.models)
      expect({ id, fits: inputMax <= window && outputMax < window }).toEqual({ id, fits: true });
  });
  it.each([
    ['claude-opus-5-5', 1_000_000, 128_000, 4_000_000_000],
    ['claude-opus-4-5-20251101', 200_000, 64_000, 5_000_000_000],
    ['gpt-5.4', 1_050_000, 128_000, 5_000_000_000], // A long prompt.
    ['gpt-5.6-luna', 1_050_000, 128_000, 400_000_000],
  ])('include %s', (name, window, outputMax, million) => {
    expect(findModel(shipped, name)?.record).toMatchObject({ window, outputMax });
    expect(costOf(shipped, name, usage, now).nanoUsd).toBe(million);
  });
  it('count tokens the same for models with the same vocabulary', () => {
    expect(tokenizerOf(shipped, 'claude-opus-4-7')).toEqual(tokenizerOf(shipped, 'claude-sonnet-5'));
    expect(tokenizerOf(shipped, 'claude-opus-4-6')?.family).toBe('claude-2024');
  });
});

describe('model files that override the shipped one', () => {
  it('take precedence, the operator’s file over the refreshed one', () => {
    const refreshed = written(file({ id: 'gpt-4o', window: 1 }, { id: 'o3', window: 2 }));
    const operator = written(
      file({ id: 'gpt-4o', window: 3, prices: [{ rates: { input: 0.001, output: 2 }, evidence }] }),
    );
    const catalog = readModels({ refreshed, operator });
    expect(findModel(catalog, 'o3')?.record).toMatchObject({ window: 2, origin: 'refreshed' });
    expect(findModel(catalog, 'gpt-4o')?.record).toMatchObject({ window: 3, origin: 'operator' });
    expect(costOf(catalog, 'gpt-4o', usage, now).nanoUsd).toBe(1_000_000);
  });
  it('are optional after a refresh, and required if the operator names one', () => {
    const missing = join(folder, 'missing.json');
    expect(readModels({ refreshed: missing })).toEqual(readModels());
    expect(() => readModels({ operator: missing })).toThrow(
      expect.objectContaining({ code: 'unreadable-file' }),
    );
  });
  it.each<[string, unknown, RegExp]>([
    ['invalid JSON', '{', /is no JSON/],
    ['an unknown field', file({ id: 'm', windw: 1 }), /windw/],
    ['a window of 0', file({ id: 'm', window: 0 }), /models\.0\.window/],
    ['an unknown tokenizer', file({ id: 'm', window: 1, tokenizer: 'mine' }), /its tokenizer/],
    ['a duplicate model', file({ id: 'm', window: 1 }, { id: 'm', window: 2 }), /name each model once/],
    [
      'a price below the smallest unit',
      file({ id: 'm', window: 1, prices: [{ rates: { input: 0.0001, output: 1 }, evidence }] }),
      /thousandth/,
    ],
    [
      'price lists out of order',
      file({
        id: 'm',
        window: 1,
        prices: [
          { from: '2026-02-01', rates: { input: 1, output: 1 }, evidence },
          { from: '2026-01-01', rates: { input: 1, output: 1 }, evidence },
        ],
      }),
      /oldest first/,
    ],
  ])('are rejected with %s, naming the file', (_, content, message) =>
    expect(() => readModels({ operator: written(content) })).toThrow(
      expect.objectContaining({ code: 'invalid-configuration', message: expect.stringMatching(message) }),
    ),
  );
});
