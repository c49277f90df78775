// The key of the installation is encrypted by a key store; local servers answer as Vault and the clouds' stores do.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSecretKey } from '@app/adapters/secret-box';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefused } from '../faults/support/expect-refused.js';
import { run } from '../faults/support/palimpsest.js';
import { install } from '../support/frameworks/install.js';
import { ApiServer, untilWorking } from './support/api-server.js';
import { CloudKeyStores } from './support/cloud-key-stores.js';

const TOKEN = 'hvs.correct-horse';
const WRAPPED = 'vault:v1:c2VjcmV0';

describe('a key that Vault has encrypted', () => {
  let home: string;
  let vault: Server;
  let calls = 0;
  let status = 200;
  const plaintext = newSecretKey();
  const path = (name: string) => join(home, name);
  const settings = () => ({
    PALIMPSEST_DATA: path('data'),
    PALIMPSEST_SECRETS_KEY_FILE: path('keys'),
    PALIMPSEST_VAULT_ADDR: addressOf(vault),
    PALIMPSEST_VAULT_TOKEN_FILE: path('token'),
    PALIMPSEST_VAULT_KEY: 'agents',
  });
  const refused = (says: RegExp, changed: Readonly<Record<string, string>> = {}) =>
    expectRefused(['sessions', '--data', path('data')], says, { env: { ...settings(), ...changed } });

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'palimpsest-vault-'));
    await writeFile(path('keys'), `# encrypted by Vault\n${WRAPPED}\n`);
    await writeFile(path('token'), `${TOKEN}\n`);
    vault = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        calls += 1;
        const answer = (code: number, body: object): void => {
          response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        };
        if (status !== 200) return answer(status, { errors: ['Vault is sealed'] });
        if (request.method !== 'POST' || request.url !== '/v1/transit/decrypt/agents')
          return answer(400, { errors: ['encryption key not found'] });
        if (request.headers['x-vault-token'] !== TOKEN) return answer(403, { errors: ['permission denied'] });
        const { ciphertext } = JSON.parse(Buffer.concat(chunks).toString());
        if (ciphertext !== WRAPPED) return answer(400, { errors: ['cipher: message authentication failed'] });
        return answer(200, { data: { plaintext } });
      });
    });
    await new Promise<void>((resolve) => {
      vault.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(async () => {
    vault.close();
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  it('is decrypted once by each process at its start, and the service goes on while Vault does not answer', async () => {
    const api = await ApiServer.start(settings());
    try {
      await untilWorking(api);
      await api.call('POST', '/v1/sessions', { session: 'first' });
      // Of the API and of the background work.
      expect(calls).toBe(2);
      status = 503;
      const body = { messages: [{ role: 'user', content: 'what was said' }] };
      expect((await api.call('POST', '/v1/sessions/first/messages', body)).status).toBe(200);
      expect((await api.call('POST', '/v1/sessions', { session: 'second' })).status).toBe(201);
      // Another key needs Vault: the process reports it and goes on with the one that it has.
      await writeFile(path('keys'), `vault:v2:b3RoZXI=\n${WRAPPED}\n`);
      while (!/"place":"keys","code":"key-store-unreachable"/.test(api.logged))
        expect((await api.call('GET', '/v1/sessions/first/messages')).status).toBe(200);
      expect(api.logged).not.toContain(TOKEN);
    } finally {
      await api.stop();
      await writeFile(path('keys'), `${WRAPPED}\n`);
    }
  });

  it('is required: without an answer, or with a wrong one, a start is refused in one line', async () => {
    status = 503;
    await refused(/Vault answers 503 \(sealed, or in maintenance\): .*\[key-store-unreachable\]/);
    status = 200;
    await writeFile(path('token'), 'hvs.another\n');
    await refused(/Vault answers 403 \(the token is refused\): .*\[key-store-unreachable\]/);
    await writeFile(path('token'), `${TOKEN}\n`);
    await refused(/the key "others" of Vault cannot decrypt .*\[installation-key-wrong\]/, {
      PALIMPSEST_VAULT_KEY: 'others',
    });
    await refused(/Vault does not answer: .*\[key-store-unreachable\]/, {
      PALIMPSEST_VAULT_ADDR: 'http://127.0.0.1:9',
    });
    await refused(/give PALIMPSEST_VAULT_ADDR and PALIMPSEST_VAULT_TOKEN_FILE \[invalid-configuration\]/, {
      PALIMPSEST_VAULT_ADDR: '',
    });
  });
});

/** The packages of the vendors, which are optional. */
const VENDORS = {
  name: 'key-stores',
  package: '@aws-sdk/client-kms',
  install: ['@aws-sdk/client-kms@3', 'google-auth-library@10', '@azure/identity@4.10'],
};

describe('a key that the key store of a cloud has encrypted', () => {
  let stores: CloudKeyStores;
  let installed: string | undefined;
  beforeAll(async () => {
    stores = await CloudKeyStores.start();
    installed = (await install(VENDORS))?.folder;
  });
  afterAll(() => stores.stop());

  const checked = async (settings: Readonly<Record<string, string>>, cwd = tmpdir()) => {
    const { stdout } = await run(['doctor', '--json'], { env: settings, cwd });
    const results = JSON.parse(stdout) as {
      check: string;
      status: string;
      found: string;
      advice: string | null;
    }[];
    expect(stdout).not.toContain(stores.plaintext);
    const { status, found, advice } = results.find(({ check }) => check === 'keys') ?? {};
    return { status, found: advice ? `${found}: ${advice}` : found };
  };

  it.each([
    ['AWS KMS', '@aws-sdk/client-kms'],
    ['Google Cloud KMS', 'google-auth-library'],
    ['Azure Key Vault', '@azure/identity'],
  ] as const)('of %s is decrypted with the package of the vendor', async (name, vendor) => {
    const settings = stores.settingsOf(name);
    const missing = new RegExp(`encrypted by ${name}, .*: npm install ${vendor}$`);
    expect(await checked(settings)).toMatchObject({
      status: 'fail',
      found: expect.stringMatching(missing),
    });
    if (installed === undefined) return;
    const found = async (changed: Readonly<Record<string, string>> = {}) =>
      (await checked({ ...settings, ...changed }, installed)).found;
    const other = settings.PALIMPSEST_KMS_KEY?.replace('palimpsest', 'others') ?? '';
    expect(await Promise.all([found(), found({ PALIMPSEST_KMS_KEY: other })])).toEqual([
      '1 configured, and readable',
      expect.stringMatching(new RegExp(`the key ".*others.*" of ${name} cannot decrypt`)),
    ]);
    stores.isAllowed = false;
    const refused = '(answers 403|does not decrypt \\(AccessDeniedException\\)).*: check PALIMPSEST_KMS_KEY';
    expect(await found()).toMatch(new RegExp(`${name} ${refused}`));
    stores.isAllowed = true;
  });
});

const addressOf = (server: Server): string => {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
};
