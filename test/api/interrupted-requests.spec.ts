import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSecretKey } from '@app/adapters/secret-box';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { TestDatabase } from '../contract/read-model/support/read-model-database.js';
import { ApiServer } from './support/api-server.js';
import { HookServer } from './support/hook-server.js';
import { eventsOf } from './support/rebuilt.js';

const SAID = { messages: [{ role: 'user', content: 'Begin.' }] };
const KEYED = { 'idempotency-key': 'the-only-one' };

/**
 * Guarantee: the API finishes the requests that it has begun; after a crash a retry returns their recorded result.
 */
describe('API process that stops during a request', () => {
  let hook: HookServer;
  beforeEach(async () => {
    hook = await HookServer.start();
  });
  afterEach(() => hook.stop());

  const given = async (api: ApiServer): Promise<void> => {
    await api.call('POST', '/v1/sessions', { session: 'one', window: 20_000 });
    const messages = Array.from({ length: 8 }, (_, turn) => [
      { role: 'user', content: `Question ${turn}: what about part ${turn} of the work?` },
      { role: 'assistant', content: `Answer ${turn}. ${'It is done. '.repeat(150)}` },
    ]).flat();
    await api.call('POST', '/v1/sessions/one/messages', { messages, stopReason: 'end_turn' });
  };
  const compact = (api: ApiServer) => api.call('POST', '/v1/sessions/one/compactions?wait=true', {}, KEYED);

  it('rejects new requests on SIGTERM, finishes the current one, and exits with 0', async () => {
    const api = await ApiServer.start(hook.settings);
    await given(api);
    const underWay = compact(api);
    await hook.asked;
    const ended = api.stop();
    const isRefused = () =>
      api.call('GET', '/v1/profiles').then(
        ({ status }) => status === 503,
        () => true,
      );
    while (!(await isRefused()));
    hook.letGo();
    expect(await underWay).toMatchObject({ status: 200, body: { outcome: 'completed' } });
    expect(await ended).toBe(0);
  });

  it('returns the recorded result to a retry after SIGKILL, without repeating work', async () => {
    const database = await TestDatabase.start();
    const data = await mkdtemp(join(tmpdir(), 'palimpsest-killed-'));
    const settings = {
      ...hook.settings,
      PALIMPSEST_DATA: data,
      PALIMPSEST_POSTGRES_URL: database.url,
      PALIMPSEST_SECRETS_KEY: newSecretKey(),
    };
    try {
      const killed = await ApiServer.start(settings);
      await given(killed);
      const underWay = compact(killed).catch(() => 'no answer');
      await hook.asked;
      const { body } = await killed.call('GET', '/v1/sessions/one');
      const { compaction } = body as { compaction: { compactionId: string } };
      // The lease lapses. The living process renews it under load, before another process could take the key over.
      const lapsed = await database.query('update idempotency_key set leased_until = now() returning key');
      expect(lapsed).toHaveLength(1);
      const isHeld = async () =>
        (await database.query('select 1 from idempotency_key where leased_until > now()')).length === 1;
      while (!(await isHeld()))
        await Promise.all(Array.from({ length: 32 }, () => killed.call('GET', '/v1/sessions/one/messages')));
      expect(await compact(killed)).toMatchObject({ status: 409, body: { code: 'request-in-progress' } });
      await killed.kill();
      expect(await underWay).toBe('no answer');
      hook.letGo();

      // The lease of the killed process lasts longer than the start of the next one.
      await database.query("update idempotency_key set leased_until = now() + interval '10 minutes'");
      const next = await ApiServer.start(settings);
      const early = await compact(next);
      expect(early).toMatchObject({ status: 409, body: { code: 'request-in-progress' } });
      expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0);
      await database.query('update idempotency_key set leased_until = now()');
      expect(await compact(next)).toMatchObject({
        status: 200,
        body: { outcome: 'completed', compactionId: compaction.compactionId },
      });
      const replayed = await compact(next);
      expect(replayed.headers.get('idempotency-replayed')).toBe('true');
      expect(await next.call('GET', '/v1/sessions/one')).toMatchObject({
        body: { compactions: 1, compaction: null },
      });
      expect(await next.stop()).toBe(0);
    } finally {
      await rm(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
      await database.stop();
    }
  });

  it('sends an answer before it is stored, and returns it to a retry after SIGKILL in between', async () => {
    const database = await TestDatabase.start();
    const data = await mkdtemp(join(tmpdir(), 'palimpsest-unstored-'));
    const settings = {
      PALIMPSEST_DATA: data,
      PALIMPSEST_POSTGRES_URL: database.url,
      PALIMPSEST_SECRETS_KEY: newSecretKey(),
    };
    const holder = new Client({ connectionString: database.url });
    try {
      await holder.connect();
      const killed = await ApiServer.startAlone(settings);
      await killed.call('POST', '/v1/sessions', { session: 'one', window: 20_000 });
      // PostgreSQL stores no answer from now on.
      await holder.query(`create function wait_for_holder() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(4711); return new; end'`);
      await holder.query(`create trigger waits before update of status on idempotency_key
        for each row when (new.status is not null) execute function wait_for_holder()`);
      await holder.query('select pg_advisory_lock(4711)');
      const send = (api: ApiServer) =>
        api.call('POST', '/v1/sessions/one/append-and-compose', SAID, { 'idempotency-key': 'unstored' });
      const first = await send(killed);
      expect(first).toMatchObject({ status: 200, body: { outcome: 'composed' } });
      const repeated = send(killed).catch(() => 'no answer');
      await killed.kill();
      expect(await repeated).toBe('no answer');
      await holder.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and query like '%idempotency_key%'`);
      await holder.query('drop trigger waits on idempotency_key');
      const unanswered = await holder.query(
        'update idempotency_key set leased_until = now() where status is null',
      );
      expect(unanswered.rowCount).toBe(1);

      const next = await ApiServer.startAlone(settings);
      const retried = await send(next);
      expect(retried).toMatchObject({ status: 200, body: first.body });
      expect(retried.headers.has('idempotency-replayed')).toBe(false);
      expect((await send(next)).headers.get('idempotency-replayed')).toBe('true');
      const types = (await eventsOf(next, 'one')).map(({ type }) => type);
      expect(types).toEqual(['SessionOpened', 'MessageAppended', 'RequestComposed']);
      expect(await next.stop()).toBe(0);
    } finally {
      await holder.end();
      await rm(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
      await database.stop();
    }
  });
});
