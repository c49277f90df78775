// The key of the installation is exchanged while appends and reads run, in the data folder of the embedded servers.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSecretKey } from '@app/adapters/secret-box';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer, untilWorking } from './support/api-server.js';

const SESSIONS = ['one', 'two', 'three'];

describe('the key of the installation', () => {
  let home: string;
  let api: ApiServer;
  const file = () => join(home, 'secrets.key');
  const start = () => ApiServer.start({ PALIMPSEST_DATA: home });
  const messages = (session: string) => api.call('GET', `/v1/sessions/${session}/messages`);
  /** Writes keys, and reads until both processes, that of the API and that of the background work, say so. */
  const given = async (keys: readonly string[], says: RegExp): Promise<void> => {
    const known = api.logged.length;
    await writeFile(file(), keys.map((key) => `${key}\n`).join(''));
    while ((api.logged.slice(known).match(says)?.length ?? 0) < 2)
      expect((await messages('one')).status).toBe(200);
  };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'palimpsest-rotation-'));
    api = await start();
    await untilWorking(api);
    await api.call('PUT', '/v1/secrets/model-key', { value: 'sk-example' });
    for (const session of SESSIONS) await api.call('POST', '/v1/sessions', { session });
  });
  afterAll(async () => {
    await api.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  it('is exchanged under load without a failed request, and needed no longer afterwards', async () => {
    const old = (await readFile(file(), 'utf8')).split('\n').find((line) => !line.startsWith('#')) ?? '';
    const next = newSecretKey();
    const statuses = new Set<number>();
    let isDone = false;
    const write = async (session: string): Promise<void> => {
      for (let at = 0; !isDone; at += 1) {
        const body = { messages: [{ role: 'user', content: `${session} ${at}` }] };
        statuses.add((await api.call('POST', `/v1/sessions/${session}/messages`, body)).status);
        // Has a key of its own.
        statuses.add((await api.call('POST', '/v1/sessions', { session: `${session}-${at}` })).status);
        statuses.add((await messages(session)).status);
      }
    };
    const writers = SESSIONS.map(write);
    await given([old, next], /"keys-reloaded"/g);
    await given([next, old], /"keys-reloaded"/g);
    await given([next], /"keys-reloaded"/g);
    // A file that is cut, or has another key alone, changes nothing.
    await given([next.slice(0, 20)], /"place":"keys","code":"invalid-configuration"/g);
    await given([old], /"place":"keys","code":"installation-key-wrong"/g);
    isDone = true;
    await Promise.all(writers);
    expect([...statuses].filter((status) => status >= 300)).toEqual([]);
    expect(api.logged).not.toMatch(/secret-unreadable/);
    const before = await Promise.all(SESSIONS.map(messages));

    await writeFile(file(), `${next}\n`);
    await api.stop();
    api = await start();
    const after = await Promise.all(SESSIONS.map(messages));
    expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
    expect((await api.call('GET', '/v1/sessions/one/proof')).status).toBe(200);
    expect(api.logged).not.toMatch(/secret-unreadable/);
  });
});
