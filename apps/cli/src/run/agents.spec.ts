import { readFile } from 'node:fs/promises';
import { AGENTS, installOf } from './agents.js';

const GATEWAY = { url: 'http://127.0.0.1:8420', headers: { 'x-palimpsest-key': 'pal_key', 'x-a': 'b"c' } };

describe('installation of an agent', () => {
  it.each([
    ['22.19.0', '`npm install -g new`'],
    ['23.0.0', '`npm install -g new`'],
    ['22.18.9', '`npm install -g old`'],
  ])('on Node %s takes the first package that runs on it', (node, expected) => {
    expect(installOf({ packages: [{ name: 'new', node: [22, 19] }, { name: 'old' }] }, node)).toBe(expected);
  });

  it('names the Node that it needs if none runs', () => {
    const packages = [{ name: 'only', node: [22, 0] }] as const;
    expect(installOf({ packages }, '20.20.2')).toBe('`npm install -g only` on Node 22.0 or newer');
  });
});

describe('setup of an agent', () => {
  it('of claude keeps the headers that the user has set', async () => {
    const setup = await AGENTS.claude?.setup?.(GATEWAY, { ANTHROPIC_CUSTOM_HEADERS: 'x-own: 1' });
    expect(setup).toEqual({
      env: {
        ANTHROPIC_BASE_URL: 'http://127.0.0.1:8420/gateway/anthropic',
        ANTHROPIC_CUSTOM_HEADERS: 'x-own: 1\nx-palimpsest-key: pal_key\nx-a: b"c',
      },
      args: [],
    });
  });

  it('of codex has no key on the command line', async () => {
    const setup = await AGENTS.codex?.setup?.(GATEWAY, { OPENAI_API_KEY: 'sk' });
    expect(setup?.args.join(' ')).not.toContain('pal_key');
    expect(setup?.args).toEqual([
      '-c',
      'model_provider="palimpsest"',
      '-c',
      'model_providers.palimpsest={name="Palimpsest",base_url="http://127.0.0.1:8420/gateway/openai/v1",wire_api="responses",env_key="OPENAI_API_KEY",env_http_headers={"x-palimpsest-key"="PALIMPSEST_RUN_HEADER_0","x-a"="PALIMPSEST_RUN_HEADER_1"}}',
    ]);
    expect(setup?.env).toEqual({ PALIMPSEST_RUN_HEADER_0: 'pal_key', PALIMPSEST_RUN_HEADER_1: 'b"c' });
    const loggedIn = await AGENTS.codex?.setup?.(GATEWAY, {});
    expect(loggedIn?.args[3]).toContain('requires_openai_auth=true');
  });

  it('of opencode is merged with the settings of the user', async () => {
    const own = { theme: 'x', provider: { openai: { options: { timeout: 1, headers: { 'x-own': '1' } } } } };
    const setup = await AGENTS.opencode?.setup?.(GATEWAY, { OPENCODE_CONFIG_CONTENT: JSON.stringify(own) });
    expect(JSON.parse(setup?.env.OPENCODE_CONFIG_CONTENT ?? '')).toEqual({
      theme: 'x',
      provider: {
        anthropic: {
          options: { baseURL: 'http://127.0.0.1:8420/gateway/anthropic/v1', headers: GATEWAY.headers },
        },
        openai: {
          options: {
            timeout: 1,
            baseURL: 'http://127.0.0.1:8420/gateway/openai/v1',
            headers: { 'x-own': '1', ...GATEWAY.headers },
          },
        },
      },
    });
    await expect(AGENTS.opencode?.setup?.(GATEWAY, { OPENCODE_CONFIG_CONTENT: '{' })).rejects.toMatchObject({
      code: 'invalid-configuration',
    });
  });

  it('of pi is an extension without a key, removed after the run', async () => {
    const setup = await AGENTS.pi?.setup?.(GATEWAY, {});
    const [, file = ''] = setup?.args ?? [];
    expect(await readFile(file, 'utf8')).toContain('registerProvider');
    expect(await readFile(file, 'utf8')).not.toContain('pal_key');
    expect(JSON.parse(setup?.env.PALIMPSEST_RUN_PROVIDERS ?? '')).toMatchObject({
      openai: { baseUrl: 'http://127.0.0.1:8420/gateway/openai/v1', headers: GATEWAY.headers },
    });
    await setup?.remove?.();
    await expect(readFile(file, 'utf8')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
