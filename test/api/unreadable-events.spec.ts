import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newSecretKey } from '@app/adapters/secret-box';
import { type SpawnedEventStore, spawnEventStore } from '@app/embedded-event-store';
import { type SpawnedPostgres, spawnPostgres } from '@app/embedded-postgres';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addCluster } from '../support/deployments/processes/data-folder.js';
import { Shell } from '../support/shell/shell.js';
import { ApiServer } from './support/api-server.js';

type Stopped = {
  readonly items: readonly {
    readonly projection: string;
    readonly position: string;
    readonly stream: string;
    readonly retryRequested: boolean;
  }[];
};

/**
 * Guarantee: an unreadable event visibly stops only the rows of its stream; all other tenants and streams are served.
 */
describe('unreadable event of a session', () => {
  const secretsKey = newSecretKey();
  let folder: string;
  let log: SpawnedEventStore;
  let database: SpawnedPostgres;
  let api: ApiServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'unreadable-'));
    log = await spawnEventStore({ dataDir: join(folder, 'log') });
    await addCluster(join(folder, 'postgres'));
    database = await spawnPostgres({ dataDir: join(folder, 'postgres') });
    api = await ApiServer.start({
      PALIMPSEST_EVENTSTORE_URL: log.url,
      PALIMPSEST_POSTGRES_URL: database.url,
      PALIMPSEST_SECRETS_KEY: secretsKey,
    });
  });
  afterAll(async () => {
    await api.stop();
    await Promise.all([log.stop(), database.stop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const stopped = async (): Promise<Stopped['items']> =>
    ((await api.call('GET', '/v1/projections/stopped')).body as Stopped).items;
  const untilStopped = async (count: number) => {
    for (;;) {
      const found = await stopped();
      if (found.length === count) return found;
      await pause(20);
    }
  };

  it('stops only its rows, can be listed, retried and skipped over HTTP and the command line, and leaves the process ready', async () => {
    for (const session of ['bad', 'good']) await api.call('POST', '/v1/sessions', { session });
    const foreign = EventStoreDBClient.connectionString(log.url);
    await foreign.appendToStream('session-default.bad', jsonEvent({ type: 'MessageAppended', data: {} }));
    await foreign.appendToStream('session-acme.theirs', jsonEvent({ type: 'SessionOpened', data: {} }));
    await foreign.appendToStream('tenant-acme', jsonEvent({ type: 'LimitsChanged', data: {} }));
    await foreign.dispose();
    // Five projections consume session events, four consume tenant events.
    const found = await untilStopped(14);
    const position = found[0]?.position ?? '';
    expect(found[0]).toMatchObject({
      tenant: 'default',
      session: 'bad',
      stream: 'session-default.bad',
      revision: 1,
      type: 'MessageAppended',
      error: 'corrupt-event',
    });

    expect(await api.call('GET', '/health/ready')).toMatchObject({ status: 200 });
    const health = await api.call('GET', '/health');
    expect(health).toMatchObject({ status: 200, body: { status: 'ready' } });
    expect(health.body).toMatchObject({
      projections: expect.arrayContaining([
        expect.objectContaining({ projection: 'sessions', stoppedStreams: 2, status: 'degraded' }),
      ]),
    });
    const metrics = (await api.call('GET', '/metrics')).body;
    expect(metrics).toContain('palimpsest_problems_total{place="projector",code="projection-stopped"}');
    expect(metrics).toContain('palimpsest_projection_stopped_streams{projection="audit_events"} 3');
    expect((await api.call('GET', '/v1/sessions/bad')).body).toMatchObject({ code: 'corrupt-event' });
    const messages = [{ role: 'user', content: 'Hello.' }];
    expect(await api.call('POST', '/v1/sessions/good/messages', { messages })).toMatchObject({ status: 200 });
    for (;;) {
      const { items } = (await api.call('GET', '/v1/audit?session=good&type=MessageAppended'))
        .body as Stopped;
      if (items.length === 1) break;
      await pause(20);
    }
    const stream = await api.call('GET', '/v1/stream?from=start&follow=false');
    expect(stream.body).toMatch(
      /event: event-unreadable\ndata: .*"session":"bad"[\s\S]*event: MessageAppended/,
    );

    const call = (verb: 'skip' | 'retry', projection: string, body: object) =>
      api.call('POST', `/v1/projections/${projection}/${verb}`, body);
    const skip = (projection: string, at: string) =>
      call('skip', projection, { position: at, reason: 'a known defect' });
    const notStopped = { body: { code: 'projection-not-stopped' } };
    expect(await skip('sessions', '1')).toMatchObject(notStopped);
    expect(await call('retry', 'sessions', { position: '1' })).toMatchObject(notStopped);
    expect(await call('retry', 'sessions', { position: '9'.repeat(19) })).toMatchObject({ status: 400 });
    expect(await call('retry', 'nosuch', {})).toMatchObject({ body: { code: 'unknown-projection' } });
    expect(await call('retry', 'sessions', {})).toMatchObject({ body: { streams: 2 } });
    while ((await stopped()).some(({ retryRequested }) => retryRequested)) await pause(20);
    expect(await stopped()).toEqual(found);

    const [byCommand, ...byRoute] = found;
    for (const one of byRoute)
      expect(await skip(one.projection, one.position)).toMatchObject({
        status: 200,
        body: { stream: one.stream },
      });
    const shell = new Shell();
    const servers = ['--eventstore-url', log.url, '--postgres-url', database.url];
    const run = async (...args: string[]) => {
      const { exitCode, stdout } = await shell.run([...args, '--json', ...servers], {
        PALIMPSEST_SECRETS_KEY: secretsKey,
      });
      return [exitCode, JSON.parse(stdout)];
    };
    try {
      const projection = byCommand?.projection ?? '';
      const only = [{ projection, stream: 'session-default.bad', position }];
      await untilStopped(1);
      expect(await run('projections', 'stopped')).toMatchObject([0, only]);
      expect(await run('projections', 'retry', projection)).toMatchObject([0, { projection, streams: 1 }]);
      expect(
        await run('projections', 'skip', projection, '--position', position, '--reason', 'known'),
      ).toMatchObject([0, { projection, position, stream: 'session-default.bad' }]);
      expect(await run('projections', 'stopped', projection)).toEqual([0, []]);
    } finally {
      await shell.end();
    }
    const audit = await api.call('GET', '/v1/audit?session=bad&type=ProjectionSkipped');
    const { items } = audit.body as { readonly items: readonly object[] };
    expect(items).toHaveLength(5);
  });

  it('does not delay the rows of events behind it, however many there are', async () => {
    const foreign = EventStoreDBClient.connectionString(log.url);
    const events = Array.from({ length: 300 }, () => jsonEvent({ type: 'NothingOfOurs', data: {} }));
    await foreign.appendToStream('session-acme.foreign', events);
    await foreign.dispose();
    await api.call('POST', '/v1/sessions', { session: 'behind' });
    // A list waits ten seconds for the rows of the caller's own writes, which a busy machine may need more than once.
    const list = () => api.call('GET', '/v1/sessions');
    let listed = await list();
    while (listed.status === 503) listed = await list();
    expect([listed.status, JSON.stringify(listed.body)]).toEqual([200, expect.stringContaining('"behind"')]);
  });
});
