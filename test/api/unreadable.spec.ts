import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SpawnedEventStore, spawnEventStore } from '@app/embedded-event-store';
import { type SpawnedPostgres, spawnPostgres } from '@app/embedded-postgres';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Shell } from '../support/shell/shell.js';
import { ApiServer } from './support/api-server.js';

type Listed = readonly {
  readonly projection: string;
  readonly stopped: { readonly position: string | null } | null;
}[];

/** Guarantee: an event that nobody can read stops what would show it, visibly; everybody else is served as before. */
describe('an event of one session that nobody can read', () => {
  let folder: string;
  let log: SpawnedEventStore;
  let database: SpawnedPostgres;
  let api: ApiServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'unreadable-'));
    log = await spawnEventStore({ dataDir: join(folder, 'log') });
    database = await spawnPostgres({ dataDir: join(folder, 'postgres') });
    api = await ApiServer.start({
      PALIMPSEST_EVENTSTORE_URL: log.url,
      PALIMPSEST_POSTGRES_URL: database.url,
    });
  });
  afterAll(async () => {
    await api.stop();
    await Promise.all([log.stop(), database.stop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const stopped = async (): Promise<
    readonly { readonly projection: string; readonly position: string }[]
  > => {
    const all = (await api.call('GET', '/v1/projections')).body as Listed;
    return all.flatMap(({ projection, stopped }) =>
      stopped?.position ? [{ projection, position: stopped.position }] : [],
    );
  };
  const untilStopped = async (count: number) => {
    for (;;) {
      const found = await stopped();
      if (found.length === count) return found;
    }
  };

  it('stops projections of sessions, and is skipped by route and by command', async () => {
    for (const session of ['bad', 'good']) await api.call('POST', '/v1/sessions', { session });
    const foreign = EventStoreDBClient.connectionString(log.url);
    await foreign.appendToStream('session-default.bad', jsonEvent({ type: 'MessageAppended', data: {} }));
    await foreign.dispose();
    const found = await untilStopped(5);
    const position = found[0]?.position ?? '';
    expect(new Set(found.map((one) => one.position))).toEqual(new Set([position]));

    expect(await api.call('GET', '/health/ready')).toMatchObject({ status: 503 });
    expect((await api.call('GET', '/metrics')).body).toContain(
      'palimpsest_problems_total{place="projector",code="projection-stopped"}',
    );
    expect((await api.call('GET', '/v1/sessions/bad')).body).toMatchObject({ code: 'corrupt-event' });
    const messages = [{ role: 'user', content: 'Hello.' }];
    expect(await api.call('POST', '/v1/sessions/good/messages', { messages })).toMatchObject({ status: 200 });
    const stream = await api.call('GET', '/v1/stream?from=start&follow=false');
    expect(stream.body).toMatch(
      /event: event-unreadable\ndata: .*"session":"bad"[\s\S]*event: MessageAppended/,
    );

    const [first, ...others] = found;
    const skip = (projection: string, at = position) =>
      api.call('POST', `/v1/projections/${projection}/skip`, { position: at, reason: 'a known defect' });
    expect(await skip(first?.projection ?? '', '1')).toMatchObject({
      body: { code: 'projection-not-stopped' },
    });
    const [byCommand, ...byRoute] = others;
    for (const { projection } of byRoute) expect(await skip(projection)).toMatchObject({ status: 200 });
    const shell = new Shell();
    try {
      for (const projection of [first?.projection ?? '', byCommand?.projection ?? '']) {
        const args = [
          'projections',
          'skip',
          projection,
          '--position',
          position,
          '--reason',
          'known',
          '--json',
        ];
        const servers = ['--eventstore-url', log.url, '--postgres-url', database.url];
        const { exitCode, stdout } = await shell.run([...args, ...servers]);
        expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { projection, position, session: 'bad' }]);
      }
    } finally {
      await shell.end();
    }
    await untilStopped(0);
    for (;;) if ((await api.call('GET', '/health/ready')).status === 200) break;
    const audit = await api.call('GET', '/v1/audit?session=bad&type=ProjectionSkipped');
    const { items } = audit.body as { readonly items: readonly object[] };
    expect(items).toHaveLength(5);
  }, 120_000);
});
