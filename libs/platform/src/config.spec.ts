import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatVerifierKey, type SignatureType, signerKey } from '@app/tlog';
import { parseConfig, SETTINGS } from './config.js';
import { logSettings, witnessedLogKeys } from './parts/transparency/log-settings.js';

describe('the configuration', () => {
  it('has defaults for all variables and treats empty ones as absent', () => {
    const defaults = {
      PALIMPSEST_DATA: '.palimpsest',
      PALIMPSEST_EVENTSTORE_PORT: 0,
      PALIMPSEST_POSTGRES_PORT: 0,
      PALIMPSEST_HOOK_TIMEOUT_MS: 10_000,
      PALIMPSEST_HTTP_HOST: '127.0.0.1',
      PALIMPSEST_HTTP_PORT: 8_420,
      PALIMPSEST_GATEWAY_ANTHROPIC: [{ url: 'https://api.anthropic.com' }],
      PALIMPSEST_GATEWAY_OPENAI: [{ url: 'https://api.openai.com/v1' }],
      PALIMPSEST_GATEWAY_PROFILE: 'core',
      PALIMPSEST_GATEWAY_FAIL_OPEN_MS: 2_000,
      PALIMPSEST_GATEWAY_RECALL: 'off',
      PALIMPSEST_HOOK_CONTENT: 'none',
      PALIMPSEST_HOOK_ON_FAILURE: 'open',
      PALIMPSEST_ROLES: ['api', 'compactor', 'projector', 'webhooks'],
      PALIMPSEST_MAX_CONCURRENT_COMPACTIONS: 4,
      PALIMPSEST_COMPACTION_QUEUE_LIMIT: 5_000,
      PALIMPSEST_LOG_LEVEL: 'info',
      PALIMPSEST_LOG_ML_DSA: 'off',
      PALIMPSEST_METRICS: 'loopback',
      PALIMPSEST_SUMMARIZER: [{ provider: 'extractive' }],
      PALIMPSEST_HTTP_HEADERS_TIMEOUT_MS: 15_000,
      PALIMPSEST_HTTP_BODY_IDLE_TIMEOUT_MS: 15_000,
      PALIMPSEST_HTTP_BODY_TIMEOUT_MS: 120_000,
      PALIMPSEST_HTTP_KEEP_ALIVE_TIMEOUT_MS: 60_000,
      PALIMPSEST_HTTP_SHUTDOWN_TIMEOUT_MS: 25_000,
      PALIMPSEST_HTTP_BODY_MEMORY_PER_TENANT_MB: 128,
      PALIMPSEST_HTTP_BODY_MEMORY_MB: 512,
      PALIMPSEST_STREAM_HEARTBEAT_MS: 15_000,
      PALIMPSEST_STREAM_READERS_MAX: 200,
      PALIMPSEST_TENANT_REQUESTS_PER_SECOND_MAX: 10_000,
      PALIMPSEST_TENANT_REQUESTS_PER_MINUTE_MAX: 300_000,
      PALIMPSEST_TENANT_TOKENS_PER_MINUTE_MAX: 500_000_000,
      PALIMPSEST_TENANT_COMPACTIONS_MAX: 16,
      PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: false,
      PALIMPSEST_WEBHOOK_TIMEOUT_MS: 15_000,
      PALIMPSEST_VAULT_MOUNT: 'transit',
      PALIMPSEST_VAULT_KEY: 'palimpsest',
      PALIMPSEST_KEY_CACHE_SECONDS: 300,
    };
    expect(parseConfig({})).toEqual(defaults);
    expect(parseConfig({ PALIMPSEST_DATA: '', PALIMPSEST_POSTGRES_URL: '', PATH: '/bin' })).toEqual(defaults);
  });

  it.each(['esdb://h:2113?tls=false', 'kurrentdb://a,b,c', 'esdb+discover://h'])('accepts %s', (url) => {
    expect(parseConfig({ PALIMPSEST_EVENTSTORE_URL: url })).toMatchObject({ PALIMPSEST_EVENTSTORE_URL: url });
  });

  it.each(['PALIMPSEST_HOOK_SECRET', 'PALIMPSEST_HOOK_SECRET_FILE'])('accepts a hook with its %s', (name) => {
    const hook = { PALIMPSEST_HOOK_URL: 'https://h/hook', [name]: `whsec_${'A'.repeat(32)}` };
    expect(parseConfig(hook)).toMatchObject(hook);
  });

  it.each([
    ['without a secret', {}],
    ['with two', { PALIMPSEST_HOOK_SECRET: `whsec_${'A'.repeat(32)}`, PALIMPSEST_HOOK_SECRET_FILE: 'file' }],
    ['with a short one', { PALIMPSEST_HOOK_SECRET: `whsec_${'A'.repeat(31)}` }],
  ])('rejects a hook %s without quoting it', (_, secrets) => {
    const refusal = (): unknown => parseConfig({ PALIMPSEST_HOOK_URL: 'https://h/hook', ...secrets });
    expect(refusal).toThrow(/PALIMPSEST_HOOK_SECRET/);
    expect(refusal).not.toThrow(/AAAA/);
  });

  it.each(['0', '600001', '-1', 'soon'])('rejects a hook timeout of %s milliseconds', (time) =>
    expect(() => parseConfig({ PALIMPSEST_HOOK_TIMEOUT_MS: time })).toThrow(/PALIMPSEST_HOOK_TIMEOUT_MS/),
  );

  it.each([
    ['api', ['api']],
    ['projector, api', ['api', 'projector']],
    ['compactor,compactor', ['compactor']],
  ])('accepts the roles %s', (roles, expected) =>
    expect(parseConfig({ PALIMPSEST_ROLES: roles }).PALIMPSEST_ROLES).toEqual(expected),
  );

  it.each(['worker', 'api,', ' ', 'api;projector'])(
    'rejects the roles "%s" and lists the valid ones',
    (roles) =>
      expect(() => parseConfig({ PALIMPSEST_ROLES: roles })).toThrow(
        'PALIMPSEST_ROLES: give one or several of api, compactor, projector, webhooks',
      ),
  );

  it.each([
    ['PALIMPSEST_MAX_CONCURRENT_COMPACTIONS', '0'],
    ['PALIMPSEST_MAX_CONCURRENT_COMPACTIONS', '257'],
    ['PALIMPSEST_COMPACTION_QUEUE_LIMIT', '1.5'],
  ])('rejects %s=%s', (name, value) => expect(() => parseConfig({ [name]: value })).toThrow(name));

  it('has all variables in .env.example and no others', () => {
    const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
    const named = [...example.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name);
    expect([...new Set(named)].sort()).toEqual([...SETTINGS].sort());
  });

  it('has the defaults of .env.example', () => {
    const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
    const lines = example.split('\n').flatMap((line) => {
      const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    });
    expect(parseConfig(Object.fromEntries(lines))).toEqual(parseConfig({}));
  });

  it('names all faults without their values', () => {
    const given = {
      PALIMPSEST_POSTGRES_URL: 'mysql://user:hidden@h/db',
      PALIMPSEST_EVENTSTORE_PORT: '70000',
    };
    const refusal = (): unknown => parseConfig(given);
    expect(refusal).toThrow(/PALIMPSEST_POSTGRES_URL.*PALIMPSEST_EVENTSTORE_PORT/);
    expect(refusal).not.toThrow(/hidden/);
  });
});

describe('files of witnesses and logs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'witness-settings-'));
  const fileOf = (text: string): string => {
    const file = join(folder, 'policy');
    writeFileSync(file, text);
    return file;
  };
  afterAll(() => rmSync(folder, { recursive: true }));
  const keyOf = (name: string, type: SignatureType): string =>
    formatVerifierKey(signerKey(name, type, new Uint8Array(32)));
  const witness = `witness w ${keyOf('w', 'ed25519-cosignature')}`;
  const log = `log ${keyOf('l', 'ed25519')}`;

  it('are a policy without logs, and the keys of logs', () => {
    const { policy, witnessPolicy } = logSettings({
      PALIMPSEST_WITNESSES: fileOf(`# ours\n${witness} https://w.example/\nquorum w\n`),
    });
    expect(policy.quorum).toBe('w');
    expect(witnessPolicy).toBe(`${witness} https://w.example/\nquorum w\n`);
    expect(witnessedLogKeys({ PALIMPSEST_WITNESS_LOGS: fileOf(`${log}\nquorum none\n`) })).toHaveLength(1);
    expect(() => parseConfig({ PALIMPSEST_WITNESS_LOGS: 'logs.policy' })).toThrow('PALIMPSEST_WITNESS_NAME');
  });

  it.each([
    ['it names logs', `${log}\n${witness} https://w.example/\nquorum w\n`],
    ['give the witness w a URL', `${witness}\nquorum w\n`],
    ['give the witness w a URL', `${witness} ftp://w.example/\nquorum w\n`],
    ['it names no witness', 'quorum none\n'],
    ['there is no quorum', `${witness} https://w.example/\n`],
    ['line 1', 'witness w\n'],
  ])('are refused: %s (%#)', (problem, text) => {
    expect(() => logSettings({ PALIMPSEST_WITNESSES: fileOf(text) })).toThrow(problem);
  });

  it('are refused if they cannot be read, or name no log', () => {
    expect(() => logSettings({ PALIMPSEST_WITNESSES: join(folder, 'none') })).toThrow('it cannot be read');
    const file = fileOf(`${witness}\nquorum w\n`);
    expect(() => witnessedLogKeys({ PALIMPSEST_WITNESS_LOGS: file })).toThrow('it names no log');
  });
});
