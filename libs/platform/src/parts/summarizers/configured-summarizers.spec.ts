import { extractiveSummarizer } from '@app/adapters/summarizer-extractive';
import {
  DEFAULT_PROFILE,
  initialTenant,
  type ModelCatalog,
  type ModelRecord,
  type TenantState,
  type TenantSummarizers,
} from '@app/domain';
import { AppError, TenantId, Tokens } from '@app/kernel';
import type { SummaryRequest } from '@app/ports';
import { quarterCounter } from '@app/testing';
import { parseConfig } from '../../config.js';
import { configuredSummarizers } from './configured-summarizers.js';

const tenant = TenantId('default');
const own = (summarizers: TenantSummarizers): TenantState => {
  const state = initialTenant(tenant);
  return state.status === 'registered' ? { ...state, summarizers } : state;
};
const KEYS = { PALIMPSEST_ANTHROPIC_API_KEY: 'k', PALIMPSEST_OPENAI_API_KEY: 'k' };

const record = (id: string, vendor: string): ModelRecord => ({
  ...{ id, vendor, aliases: [], window: Tokens(100_000), lifecycle: 'active', prices: [], origin: 'shipped' },
  evidence: { source: 'a test', asOf: '2026-11-21', confidence: 'high' },
});
const CATALOG: ModelCatalog = {
  models: [record('claude-m', 'anthropic'), record('claude-sums', 'anthropic'), record('gpt-m', 'openai')],
  tokenizers: [],
  summarizers: [{ vendor: 'anthropic', model: 'claude-sums' }],
};
type Session = { readonly model?: string; readonly settings?: Readonly<Record<string, string>> };

/** Who is chosen, by name and model; for a session of the model `claude-m` where none is named. */
const chosen = async (
  summarizer: string,
  configured: string | undefined,
  state: TenantState = { status: 'absent' },
  { model = 'claude-m', settings = {} }: Session = {},
) => {
  const config = parseConfig({
    ...KEYS,
    ...settings,
    ...(configured !== undefined && { PALIMPSEST_SUMMARIZER: configured }),
  });
  const choice = configuredSummarizers({
    config,
    keys: { ANTHROPIC: 'k', OPENAI: 'k' },
    tenants: { load: async () => ({ state, revision: undefined }) },
    secrets: {
      read: async (_, name) => {
        if (name === 'there') return 'k';
        if (name === 'away') throw new AppError('postgres-unavailable', 'it is away');
        throw new AppError('secret-not-found', 'there is no such secret');
      },
    },
    models: { catalogFor: async () => CATALOG },
    extractive: extractiveSummarizer(quarterCounter),
    observe: (one) => one,
  });
  return choice.choose({ tenant, profile: { ...DEFAULT_PROFILE, summarizer }, model });
};
const namesOf = async (...args: Parameters<typeof chosen>): Promise<readonly string[]> =>
  (await chosen(...args)).map(({ identity: { name, model } }) => (model ? `${name}:${model}` : name));

const CAREFUL: TenantSummarizers = {
  default: 'careful',
  summarizers: {
    careful: [{ provider: 'openai-chat', secret: 'there' }, { provider: 'extractive' }],
    later: [{ provider: 'anthropic', secret: 'away' }],
    broken: [{ provider: 'anthropic', model: 'n', secret: 'gone' }],
  },
};

describe('the configured summarizers', () => {
  it('are none without a configuration or if the profile excludes models', async () => {
    expect(await namesOf('default', undefined)).toEqual(['extractive']);
    expect(await namesOf('extractive', 'anthropic', own(CAREFUL))).toEqual(['extractive']);
  });

  it('are those of the operator, in order, with the model of the session if none is named', async () =>
    expect(await namesOf('default', 'anthropic, openai-responses:a:b, extractive')).toEqual([
      'anthropic:claude-m',
      'openai-responses:a:b',
      'extractive',
    ]));

  it('are those of the tenant before those of the operator', async () => {
    expect(await namesOf('default', 'anthropic', own(CAREFUL))).toEqual(['openai-chat', 'extractive']);
    expect(await namesOf('default', 'anthropic', own({ ...CAREFUL, default: null }))).toEqual([
      'anthropic:claude-m',
    ]);
  });

  it('can repeat the request of a session only with its own model', async () => {
    const [same] = await chosen('default', 'anthropic');
    const [other] = await chosen('default', 'anthropic:n');
    expect([same.repeats, other.repeats]).toEqual(['anthropic', undefined]);
  });

  it.each([
    ['other', 'summarizer other'],
    ['broken', 'secret gone'],
  ])('fail with the missing setting: %s', async (name, missing) => {
    const [summarizer] = await chosen(name, undefined, own(CAREFUL));
    const request: SummaryRequest = JSON.parse('{}');
    await expect(summarizer.summarize(request, new AbortController().signal)).rejects.toMatchObject({
      fault: 'not-configured',
      message: expect.stringContaining(missing),
    });
  });
});

describe('a configured summarizer without a model', () => {
  const asked = (model: string, configured: string, settings: Session['settings'] = {}) =>
    namesOf('default', configured, undefined, { model, settings });

  it('takes the model of its own provider from the catalog', async () => {
    expect(await asked('gpt-m', 'anthropic')).toEqual(['anthropic:claude-sums']);
    expect(await asked('gpt-99', 'anthropic')).toEqual(['anthropic:claude-sums']);
    expect(await asked('gemini-3', 'anthropic', OWN_SERVER)).toEqual(['anthropic:claude-sums']);
    expect(await asked('unknown', 'anthropic', OWN_SERVER)).toEqual(['anthropic:claude-sums']);
  });

  it('fails as not configured with the setting to add if the catalog has none', async () => {
    const [summarizer] = await chosen('default', 'openai-chat');
    const request: SummaryRequest = JSON.parse('{}');
    await expect(summarizer.summarize(request, new AbortController().signal)).rejects.toMatchObject({
      fault: 'not-configured',
      message: expect.stringContaining('openai-chat:MODEL'),
    });
  });

  // Holds rule 5.100.
  it('prefers the provider of the session', async () => {
    expect(await asked('gpt-m', 'anthropic,openai-chat,extractive')).toEqual([
      'openai-chat:gpt-m',
      'anthropic:claude-sums',
      'extractive',
    ]);
    expect(await asked('gpt-m', 'anthropic:claude-m,openai-chat')).toEqual([
      'anthropic:claude-m',
      'openai-chat:gpt-m',
    ]);
  });

  it('asks for a model of an unknown vendor only at an address of the operator', async () => {
    expect(await asked('qwen-9', 'anthropic', OWN_SERVER)).toEqual(['anthropic:qwen-9']);
    expect(await asked('qwen-9', 'anthropic')).toEqual(['anthropic:claude-sums']);
  });

  it('asks the vendor under its own name for a model sold by a router, and repeats no request', async () => {
    const [summarizer] = await chosen('default', 'anthropic', undefined, {
      model: 'openrouter/anthropic/claude-m',
    });
    expect(summarizer).toMatchObject({ identity: { model: 'claude-m' } });
    expect(summarizer.repeats).toBeUndefined();
  });
});
const OWN_SERVER = { PALIMPSEST_ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };

describe('an unreadable secret', () => {
  it('is a transient failure', async () => {
    const [summarizer] = await chosen('later', undefined, own(CAREFUL));
    const request: SummaryRequest = JSON.parse('{}');
    const apiCaller = summarizer.summarize(request, new AbortController().signal);
    await expect(apiCaller).rejects.toMatchObject({ fault: 'unavailable', isPassing: true });
  });
});

describe('the setting of summarizers', () => {
  it.each(['gemini', 'anthropic:', 'extractive:x', 'anthropic,,extractive'])('rejects %s', (text) =>
    expect(() => parseConfig({ ...KEYS, PALIMPSEST_SUMMARIZER: text })).toThrow('PALIMPSEST_SUMMARIZER'),
  );

  it('requires a key, or its file, for each provider that it names', () => {
    expect(() => parseConfig({ PALIMPSEST_SUMMARIZER: 'anthropic' })).toThrow('PALIMPSEST_ANTHROPIC_API_KEY');
    expect(() => parseConfig({ PALIMPSEST_SUMMARIZER: 'openai-chat', ...KEYS })).not.toThrow();
    const both = { PALIMPSEST_OPENAI_API_KEY: 'k', PALIMPSEST_OPENAI_API_KEY_FILE: 'f' };
    expect(() => parseConfig({ PALIMPSEST_SUMMARIZER: 'openai-chat', ...both })).toThrow();
  });
});
