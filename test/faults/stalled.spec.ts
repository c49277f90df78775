import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_KEY, ServiceProcess, sharedSettings } from '@app/deployments';
import { type SpawnedEventStore, spawnEventStore } from '@app/embedded-event-store';
import { type SpawnedPostgres, spawnPostgres } from '@app/embedded-postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Receiver } from '../contract/webhooks/support/receiver.js';

const REPLACED_WITHIN_MS = 30_000;
const HELD = /^palimpsest_projected_events_total\{projection="audit_events"\} [1-9]/m;

/**
 * Guarantee: a process that is stalled, not dead, loses its leases and is replaced within 30 seconds. When it wakes, it
 * writes nothing that its successor has written: no row is doubled, none is lost.
 */
describe('a stalled process', () => {
  let folder: string;
  let log: SpawnedEventStore;
  let database: SpawnedPostgres;
  let receiver: Receiver;
  let api: ServiceProcess;
  let workers: readonly ServiceProcess[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stalled-'));
    log = await spawnEventStore({ dataDir: join(folder, 'log') });
    database = await spawnPostgres({ dataDir: join(folder, 'postgres') });
    receiver = await Receiver.start();
    const settings = sharedSettings(log.url, database.url, join(folder, 'unused'), {
      PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    api = ServiceProcess.start('api', { ...settings, PALIMPSEST_ROLES: 'api' });
    await api.url();
    const worker = { ...settings, PALIMPSEST_ROLES: 'projector,webhooks,compactor' };
    workers = [ServiceProcess.start('worker', worker), ServiceProcess.start('worker', worker)];
    await Promise.all(workers.map((one) => one.url()));
  });
  afterAll(async () => {
    for (const one of workers) one.signal('SIGCONT');
    await Promise.all([...workers, api].map((one) => one.end('SIGKILL')));
    receiver.stop();
    await Promise.all([log.stop(), database.stop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' };
    const answer = await fetch(`${await api.url()}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([path, answer.status]).toEqual([path, answer.status < 300 ? answer.status : 'success']);
    return answer.json();
  };
  const append = (session: string, text: string) =>
    call('POST', `/v1/sessions/${session}/messages`, { messages: [{ role: 'user', content: text }] });
  /** Revisions of a session's rows in the audit. */
  const audited = async (session: string): Promise<readonly number[]> => {
    const { items } = (await call('GET', `/v1/audit?session=${session}&limit=1000`)) as {
      readonly items: readonly { readonly revision: number }[];
    };
    return items.map(({ revision }) => revision).sort((one, other) => one - other);
  };
  const untilAudited = async (session: string, count: number): Promise<void> => {
    while ((await audited(session)).length < count);
  };
  const projects = async (one: ServiceProcess): Promise<boolean> => {
    const metrics = await fetch(`${await one.url()}/metrics`);
    return HELD.test(await metrics.text());
  };
  const sent = (session: string) => receiver.received.filter(({ event }) => event.data.session === session);

  it(
    'that projects and sends webhooks is replaced within 30 seconds, and doubles nothing when it wakes',
    async () => {
      await call('POST', '/v1/webhooks', { url: receiver.url, types: ['MessageAppended'] });
      await call('POST', '/v1/sessions', { session: 'first' });
      await append('first', 'before the stall');
      await untilAudited('first', 2);
      await receiver.until(() => sent('first').length > 0);
      // One of them has both leases, or each has one: both are stalled in turn.
      const firsts = await Promise.all(workers.map(projects));
      const order = firsts[0] ? workers : [...workers].reverse();
      let count = 0;
      for (const stalled of order) {
        stalled.signal('SIGSTOP');
        const since = performance.now();
        const session = `stalled-${count}`;
        count += 1;
        await call('POST', '/v1/sessions', { session });
        await append(session, 'during the stall');
        await untilAudited(session, 2);
        await receiver.until(() => sent(session).length > 0);
        expect(performance.now() - since).toBeLessThan(REPLACED_WITHIN_MS);
        stalled.signal('SIGCONT');
        for (let at = 0; at < 20; at += 1) await append(session, `after the stall ${at}`);
        await untilAudited(session, 22);
        await receiver.until(() => sent(session).length >= 21);
        expect(await audited(session)).toEqual(Array.from({ length: 22 }, (_, at) => at));
        expect(new Set(sent(session).map(({ id }) => id)).size).toBe(21);
      }
      const { items } = (await call('GET', '/v1/sessions')) as { readonly items: readonly object[] };
      expect(items).toHaveLength(3);
      for (const one of workers) expect((await fetch(`${await one.url()}/health/ready`)).status).toBe(200);
    },
    4 * REPLACED_WITHIN_MS,
  );
});
