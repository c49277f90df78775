import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_KEY, ServiceProcess, sharedSettings } from '@app/deployments';
import { type SpawnedEventStore, spawnEventStore } from '@app/embedded-event-store';
import { type SpawnedPostgres, spawnPostgres } from '@app/embedded-postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addCluster } from '../support/deployments/processes/data-folder.js';
import { foundEndpoints } from './support/endpoints.js';

describe('two API processes on the same servers', () => {
  let folder: string;
  let log: SpawnedEventStore;
  let database: SpawnedPostgres;
  let first: ServiceProcess;
  let second: ServiceProcess;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-several-'));
    log = await spawnEventStore({ dataDir: join(folder, 'log') });
    await addCluster(join(folder, 'postgres'));
    database = await spawnPostgres({ dataDir: join(folder, 'postgres') });
    const settings = sharedSettings(log.url, database.url, join(folder, 'unused'), {
      PALIMPSEST_ROLES: 'api',
      PALIMPSEST_STREAM_HEARTBEAT_MS: '60000',
      PALIMPSEST_GATEWAY_ANTHROPIC: 'http://127.0.0.1:1',
    });
    first = ServiceProcess.start('api', settings);
    await first.url();
    second = ServiceProcess.start('api', settings);
    await second.url();
  });
  afterAll(async () => {
    await Promise.all([first.end(), second.end()]);
    await Promise.all([log.stop(), database.stop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const call = async (
    process: ServiceProcess,
    method: string,
    path: string,
    { body, key = ADMIN_KEY }: { readonly body?: object; readonly key?: string } = {},
  ): Promise<Response> =>
    fetch(`${await process.url()}${path}`, {
      method,
      headers: {
        ...{ authorization: `Bearer ${key}`, 'x-palimpsest-key': key, 'x-api-key': 'sk-theirs' },
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });

  it.each(['revoked', 'rotated away'])(
    'end an open stream at once if its key is %s in the other process',
    async (how) => {
      const issued = await call(first, 'POST', '/v1/keys', { body: { role: 'agent' } });
      const { key, keyId } = (await issued.json()) as { readonly key: string; readonly keyId: string };
      let opened = await call(second, 'GET', '/v1/stream', { key });
      // The other process learns of a new key from the log.
      while (opened.status === 401) opened = await call(second, 'GET', '/v1/stream', { key });
      expect(opened.status).toBe(200);
      const ended = opened.text().then(
        () => 'ended',
        () => 'cut',
      );
      const changed =
        how === 'revoked'
          ? await call(first, 'DELETE', `/v1/keys/${keyId}`)
          : await call(first, 'POST', `/v1/keys/${keyId}/rotate`, { body: { overlapSeconds: 0 } });
      expect(changed.status).toBeLessThan(300);
      expect(await ended).toMatch(/^(?:ended|cut)$/);
      expect((await call(second, 'GET', '/v1/whoami', { key })).status).toBe(401);
    },
  );

  it('reveal no address or path of their dependencies to a tenant', async () => {
    const asked = { model: 'claude-opus-4-6', max_tokens: 10, messages: [{ role: 'user', content: 'Go.' }] };
    const answers = [await call(first, 'POST', '/gateway/anthropic/v1/messages', { body: asked })];
    expect(answers[0]?.status).toBe(502);
    await database.stop();
    for (const { method, path } of foundEndpoints()) {
      if (method !== 'GET' || path === 'v1/stream') continue;
      const filled = path.replace(/:(\w+)/g, 'none').replace('v1/profiles/none', 'v1/profiles/core');
      answers.push(await call(first, 'GET', `/${filled}`));
    }
    answers.push(await call(first, 'POST', '/v1/sessions', { body: { session: 's' } }));
    const failed = answers.filter(({ status }) => status >= 500);
    expect(failed.length).toBeGreaterThan(5);
    const hidden = [folder, '127.0.0.1', new URL(database.url).port, 'postgres:', 'ECONN', 'PALIMPSEST_'];
    for (const answer of answers) {
      const text = await answer.text();
      for (const word of hidden) expect(text).not.toContain(word);
    }
  });
});
