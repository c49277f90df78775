import { setTimeout as pause } from 'node:timers/promises';
import { openWebhookDeliveries, openWebhookSecrets } from '@app/adapters/read-model-postgres';
import type { DeliveryState } from '@app/contract';
import type { TenantEvent, WebhookFacts } from '@app/domain';
import {
  AppError,
  IsoTime,
  LogPosition,
  SessionId,
  sessionStream,
  TenantId,
  tenantStream,
  WebhookId,
} from '@app/kernel';
import type { DueDelivery, WebhookDeliveries } from '@app/ports';
import { sql } from 'kysely';
import { appended, opened } from '../read-model/support/events.js';
import { TestDatabase } from '../read-model/support/read-model-database.js';
import { ScriptedLog, TENANT } from '../read-model/support/scripted-log.js';
import { BOX, Clock, DeliveryProcess, newBox } from './support/delivery-process.js';
import { answerWith, cutOff, isSignedWith, Receiver } from './support/receiver.js';

const WEBHOOK = WebhookId('wh_AAAAAAAAAAAA');
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const NEWER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const time = IsoTime('2026-01-01T00:00:00Z');
const [s1, s2] = [SessionId('s-1'), SessionId('s-2')];
const DAY_MS = 86_400_000;

/** Guarantee: every event is delivered at least once and in order per session, despite failures and kills. */
describe('webhook delivery', () => {
  let test: TestDatabase;
  let receiver: Receiver;
  let log: ScriptedLog;
  let clock: Clock;
  let deliveries: WebhookDeliveries;
  let running: DeliveryProcess[] = [];

  beforeAll(async () => {
    test = await TestDatabase.start();
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    receiver.stop();
    await test.stop();
  });
  beforeEach(async () => {
    await test.query('truncate webhook, webhook_delivery, webhook_queue, webhook_secret');
    await test.query('update webhook_checkpoint set position = null');
    receiver.reset();
    log = new ScriptedLog();
    clock = new Clock();
    deliveries = openWebhookDeliveries(test.database, log);
    await openWebhookSecrets(test.database, BOX).add(TENANT, WEBHOOK, SECRET);
  });
  afterEach(async () => {
    for (const one of running) await one.stop();
    running = [];
    const columns = 'webhook, session, position, next_at';
    const waiting = await test.query(`select distinct on (webhook, session) ${columns} from webhook_delivery
      where state = 'pending' order by webhook, session, position`);
    expect(await test.query(`select ${columns} from webhook_queue order by webhook, session`)).toEqual(
      waiting,
    );
  });

  const start = (changed: ConstructorParameters<typeof DeliveryProcess>[3] = {}): DeliveryProcess => {
    const process = new DeliveryProcess(test.database, log, clock, changed);
    running.push(process);
    return process;
  };
  const settings = (changed: Partial<WebhookFacts> = {}): TenantEvent => ({
    type: 'WebhookRegistered',
    data: {
      webhook: {
        webhookId: WEBHOOK,
        url: receiver.url,
        label: '',
        types: [],
        sessions: [],
        content: 'none',
        ...changed,
      },
      registeredAt: time,
    },
  });
  const record = (event: TenantEvent, tenant = TENANT) => log.append([event], tenantStream(tenant));
  const talk = (session: SessionId, count: number, from = 0) =>
    log.append(
      Array.from({ length: count }, (_, at) => appended(`m-${from + at}`, 1)),
      sessionStream(TENANT, session),
    );
  const states = async (state?: DeliveryState) =>
    (await deliveries.page({ tenant: TENANT, webhook: WEBHOOK, ...(state && { state }) }, { limit: 1_000 }))
      .items;
  /** Expects the first arrivals of a session to be complete and in log order. */
  const expectAllOf = (session: SessionId): void => {
    const recorded = log.events.filter(({ stream }) => stream === sessionStream(TENANT, session));
    const seen = receiver.received.filter(({ event }) => event.subject === session);
    const first = [...new Set(seen.map(({ event }) => event.data.position))];
    expect(first).toEqual(recorded.map(({ position }) => String(position)));
  };
  const settled = async (count: number): Promise<void> => {
    while ((await states()).filter(({ state }) => state !== 'pending').length < count) await pause(20);
  };

  it('reads due deliveries fairly by tenant and webhook, with any backlog', async () => {
    await test.query(`insert into webhook (webhook, tenant, url, content, types, sessions)
      select 'wh_busy00000' || lpad(n::text, 3, '0'), 'busy', 'https://busy.example/', 'none', '{}'::text[], '{}'::text[]
        from generate_series(1, 200) as n
      union all select 'wh_other0000001', 'other', 'https://other.example/', 'none', '{}'::text[], '{}'::text[]`);
    await test.query(`insert into webhook_delivery (webhook, position, tenant, session, revision, type, next_at)
      select 'wh_busy00000' || lpad(w::text, 3, '0'), w * 100 + s, 'busy', 's-' || s, 0, 'SessionClosed', now() - interval '1 hour'
        from generate_series(1, 200) as w, generate_series(1, 20) as s
      union all select 'wh_other0000001', 900000, 'other', 's-1', 0, 'SessionClosed', now()`);
    let heads: readonly DueDelivery[] = [];
    await deliveries.hold(new AbortController().signal, async (held) => {
      heads = await held.heads();
      const [first] = heads;
      if (first)
        await held.settle([
          {
            delivery: first,
            result: { state: 'pending', outcome: '503', triedAt: time, nextAt: IsoTime(new Date()) },
          },
        ]);
      expect((await held.heads()).some(({ position }) => position === first?.position)).toBe(false);
    });
    // Another tenant's newest delivery is among the first, and no webhook fills the rest.
    expect(
      heads
        .slice(0, 2)
        .map(({ tenant }) => tenant)
        .sort(),
    ).toEqual(['busy', 'other']);
    const counts = new Map<string, number>();
    for (const { webhook } of heads) counts.set(webhook, (counts.get(webhook) ?? 0) + 1);
    expect(Math.max(...counts.values())).toBe(16);
  });

  it('starts at the registration, with signed CloudEvents of unique ids', async () => {
    talk(s1, 1);
    record(settings());
    talk(s1, 2, 1);
    start();
    await settled(2);
    expect(receiver.received).toHaveLength(2);
    for (const one of receiver.received) {
      expect(one.event).toMatchObject({
        specversion: '1.0',
        type: 'palimpsest.MessageAppended',
        subject: 's-1',
      });
      expect(one.id).toBe(`${WEBHOOK}-${one.event.data.position}`);
      expect(isSignedWith(SECRET, one)).toBe(true);
      expect(one.headers['content-type']).toContain('application/cloudevents+json');
    }
    expect(await states('delivered')).toHaveLength(2);
  });

  it.each(['none', 'full'] as const)('sends content %s', async (content) => {
    record(settings({ content }));
    talk(s1, 1);
    start();
    await settled(1);
    expect(JSON.stringify(receiver.received).includes('hello')).toBe(content === 'full');
  });

  it('excludes other tenants, types and sessions, and stops with the removal', async () => {
    const rival = TenantId('rival');
    record(settings({ types: ['MessageAppended'], sessions: [s1] }));
    log.append([opened()], sessionStream(TENANT, s1));
    log.append([appended('m-1', 1)], sessionStream(rival, s1));
    talk(s2, 1);
    talk(s1, 1);
    start();
    await settled(1);
    record({ type: 'WebhookRemoved', data: { webhookId: WEBHOOK } });
    talk(s1, 1, 1);
    const other = WebhookId('wh_BBBBBBBBBBBB');
    await openWebhookSecrets(test.database, BOX).add(TENANT, other, SECRET);
    record(settings({ webhookId: other }));
    talk(s2, 1, 1);
    await receiver.until((received) => received.length === 2);
    expect(receiver.received.map(({ id, event }) => [id.slice(0, 15), event.subject])).toEqual([
      [WEBHOOK, 's-1'],
      [other, 's-2'],
    ]);
    expect(await states()).toEqual([]);
  });

  it('retries with backoff, and holds back later events of that session', async () => {
    record(settings());
    talk(s1, 3);
    const times: number[] = [];
    receiver.answering = (received, response) => {
      times.push(clock.ms);
      answerWith(times.length <= 3 ? 503 : 200)(received, response);
    };
    start();
    await settled(3);
    const firstFour = receiver.received.slice(0, 4).map(({ id }) => id);
    expect(new Set(firstFour).size).toBe(1);
    const waits = times.slice(1, 4).map((at, index) => at - (times[index] ?? 0));
    expect(waits).toEqual([5_000, 30_000, 120_000]);
    expectAllOf(s1);
  });

  it('respects the receiver’s retry-after', async () => {
    record(settings());
    talk(s1, 1);
    const times: number[] = [];
    receiver.answering = (received, response) => {
      times.push(clock.ms);
      answerWith(times.length === 1 ? 429 : 200, { 'retry-after': '3600' })(received, response);
    };
    start();
    await settled(1);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(3_600_000);
  });

  it('gives up after a day, continues with the next event, and resends a dead letter on request', async () => {
    record(settings());
    talk(s1, 2);
    const [first] = log.events;
    const begun = clock.ms;
    receiver.answering = (received, response) =>
      answerWith(received.event.data.position === String(first?.position) ? 500 : 200)(received, response);
    start();
    await settled(2);
    const dead = await states('dead');
    expect(dead).toMatchObject([{ position: first?.position, attempts: 11, lastOutcome: '500' }]);
    expect(clock.ms - begun).toBeGreaterThan(DAY_MS * 0.9);
    receiver.reset();
    const again = () => deliveries.replay(TENANT, WEBHOOK, LogPosition(first?.position ?? 0n), time);
    await again();
    talk(s2, 1);
    await settled(3);
    expect(receiver.received.map(({ id }) => id)).toContain(`${WEBHOOK}-${first?.position}`);
    await expect(again()).rejects.toMatchObject({ code: 'delivery-not-dead' });
    await expect(deliveries.replay(TENANT, WEBHOOK, LogPosition(7n), time)).rejects.toMatchObject({
      code: 'delivery-not-found',
    });
    await expect(
      deliveries.replay(TenantId('rival'), WEBHOOK, LogPosition(first?.position ?? 0n), time),
    ).rejects.toMatchObject({ code: 'delivery-not-found' });
  });

  it('signs with both secrets during the overlap, and with the new one afterwards', async () => {
    const secrets = openWebhookSecrets(test.database, BOX);
    await secrets.add(TENANT, WEBHOOK, NEWER);
    await secrets.retireOlder(TENANT, WEBHOOK, IsoTime(new Date(clock.ms + 60_000)));
    record(settings());
    talk(s1, 1);
    start();
    await settled(1);
    clock.ms += 60_000;
    talk(s1, 1, 1);
    await settled(2);
    const [during, after] = receiver.received;
    expect(during && [SECRET, NEWER].map((one) => isSignedWith(one, during))).toEqual([true, true]);
    expect(after && [SECRET, NEWER].map((one) => isSignedWith(one, after))).toEqual([false, true]);
  });

  it('resends a delivery that a killed process sent without recording it, under the same id', async () => {
    record(settings());
    talk(s1, 2);
    const open = openWebhookDeliveries(test.database, log);
    const killed = start({
      deliveries: {
        hold: (signal, work) =>
          open.hold(signal, (held) => work({ ...held, settle: () => Promise.reject(new Error('killed')) })),
      },
      pace: {
        pause: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
      },
    });
    await receiver.until((received) => received.length === 1);
    await killed.stop();
    start();
    await settled(2);
    const ids = receiver.received.map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(ids[1]).toBe(ids[0]);
    expectAllOf(s1);
  });

  it('runs in one process, and another takes over', async () => {
    record(settings());
    const [first] = [start(), start()];
    talk(s1, 10);
    await settled(10);
    expect(receiver.received).toHaveLength(10);
    await first?.stop();
    talk(s1, 5, 10);
    await settled(15);
    expectAllOf(s1);
    expect(receiver.received).toHaveLength(15);
  });

  it('delivers everything in order to a receiver that is cut off a hundred times, while processes die', async () => {
    record(settings());
    for (let round = 0; round < 10; round += 1) {
      talk(s1, 5, round * 5);
      talk(s2, 5, round * 5);
    }
    const cut = new Set<string>();
    receiver.answering = (received, response) => {
      // The receiver has the event, but its answer is lost: once for each of a hundred.
      const take = cut.has(received.id) ? answerWith(200) : cutOff;
      cut.add(received.id);
      take(received, response);
    };
    let process = start();
    for (const count of [30, 60, 90]) {
      await receiver.until((received) => received.length >= count);
      await process.stop();
      process = start();
    }
    await settled(100);
    expect(cut.size).toBe(100);
    expect(receiver.received).toHaveLength(200);
    expectAllOf(s1);
    expectAllOf(s2);
    expect(await states('dead')).toEqual([]);
  });

  it('gives up an unreadable event, and delivers later ones', async () => {
    record(settings());
    talk(s1, 2);
    const [broken, whole] = log.events;
    start({
      log: {
        readForwards: async function* (_, { from = 0 } = {}) {
          if (from === broken?.revision) throw new AppError('corrupt-event', 'foreign event');
          if (whole) yield whole;
        },
      },
    });
    await settled(2);
    expect(await states('dead')).toMatchObject([{ position: broken?.position, lastOutcome: 'no-event' }]);
    expect(receiver.received.map(({ id }) => id)).toEqual([`${WEBHOOK}-${whole?.position}`]);
  });

  it('continues past an event that the log cannot read, reports it, and delivers the others', async () => {
    record(settings());
    talk(s1, 1);
    const bad = log.appendUnreadable('MessageAppended', sessionStream(TENANT, s1));
    log.appendUnreadable('WebhookChanged', tenantStream(TenantId('rival')));
    log.appendUnreadable('Foreign', sessionStream(TENANT, s2));
    talk(s2, 1);
    const process = start();
    await settled(3);
    expect(await states('dead')).toMatchObject([{ position: bad, lastOutcome: 'no-event' }]);
    expect(receiver.received.map(({ event }) => event.subject).sort()).toEqual(['s-1', 's-2']);
    expect(process.unreadable).toMatchObject(Array(3).fill({ code: 'corrupt-event' }));
  });

  it('continues after an operator skips a waiting delivery', async () => {
    record(settings());
    const bad = log.appendUnreadable('MessageAppended', sessionStream(TENANT, s1));
    const good = talk(s1, 1);
    let decisions = 0;
    const decided = async (): Promise<void> => {
      decisions += 1;
    };
    const skip = (position: LogPosition) => deliveries.skip(TENANT, WEBHOOK, position, decided);
    await expect(skip(good)).rejects.toMatchObject({ code: 'delivery-not-found' });
    const waiting = start({ pace: { pause: () => new Promise((resolve) => setImmediate(resolve)) } });
    while ((await states('pending')).filter(({ attempts }) => attempts > 0).length === 0);
    await waiting.stop();
    expect(await deliveries.counts()).toEqual({ pending: 2, dead: 0 });
    expect(await skip(bad)).toMatchObject({ state: 'dead', lastOutcome: 'skipped' });
    start();
    await settled(2);
    expect(receiver.received.map(({ id }) => id)).toEqual([`${WEBHOOK}-${good}`]);
    await expect(skip(good)).rejects.toMatchObject({ code: 'delivery-not-pending' });
    expect([decisions, await deliveries.counts()]).toEqual([1, { pending: 0, dead: 1 }]);
  });

  it('goes on behind a delivery that is skipped while the one before it is settled', async () => {
    await test.query(`insert into webhook (webhook, tenant, url, content, types, sessions)
      values ('${WEBHOOK}', '${TENANT}', 'https://hook.example/', 'none', '{}', '{}')`);
    await test.query(`insert into webhook_delivery (webhook, position, tenant, session, revision, type, next_at)
      select '${WEBHOOK}', n, '${TENANT}', 's-1', n, 'SessionClosed', now() from generate_series(1, 3) as n`);
    await deliveries.hold(new AbortController().signal, async (held) => {
      const [first] = await held.heads();
      if (!first) throw new Error('nothing waits');
      let isSettled = false;
      let settling: Promise<void> | undefined;
      await test.database.db.transaction().execute(async (skipping) => {
        await sql`update webhook_delivery set state = 'dead' where position = 2`.execute(skipping);
        settling = held
          .settle([
            {
              delivery: first,
              result: { state: 'delivered', outcome: '200', triedAt: time, nextAt: time },
            },
          ])
          .finally(() => {
            isSettled = true;
          });
        while (!isSettled && (await test.query('select from pg_locks where not granted')).length === 0);
      });
      await settling;
      expect((await held.heads()).map(({ position }) => position)).toEqual([3n]);
    });
  });

  it('gives up a delivery whose secret no key decrypts, and continues with other webhooks', async () => {
    const other = WebhookId('wh_BBBBBBBBBBBB');
    record(settings());
    record(settings({ webhookId: other }));
    await openWebhookSecrets(test.database, newBox()).add(TENANT, other, SECRET);
    talk(s1, 1);
    start();
    await settled(1);
    expect(receiver.received.map(({ id }) => id.slice(0, 15))).toEqual([WEBHOOK]);
    const dead = { tenant: TENANT, webhook: other, state: 'dead' } as const;
    for (;;) {
      const { items } = await deliveries.page(dead, { limit: 10 });
      if (items.length === 0) continue;
      expect(items).toMatchObject([{ lastOutcome: 'secret-unreadable' }]);
      break;
    }
  });

  it('continues after lost database connections', async () => {
    record(settings());
    const process = start();
    talk(s1, 3);
    await settled(3);
    await test.breakConnections();
    talk(s1, 3, 3);
    await settled(6);
    expectAllOf(s1);
    expect(process.errors).not.toEqual([]);
  });
});
