/**
 * The service under load: tenants with many sessions, whose agents append, compose and read, while a reader follows
 * each tenant's stream. Afterwards the clients' own records are compared with the stream and the exports: nothing may
 * be lost or duplicated. Then the read models catch up, and one tenant's events go to many concurrent readers.
 * Appends are compared with the bare event-store client on another server in the same run.
 *
 * Sessions begin with a history near their window, and with more events than the stream buffers: caches of sessions
 * and events are full before memory is measured, so that later growth depends on traffic.
 */
import 'reflect-metadata';
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { readInvocation } from './support/invocation.js';
import { newRecords, openWithHistory, playTurn } from './support/load/agents.js';
import { bareRateOf } from './support/load/bare-rate.js';
import { fanOut } from './support/load/fan-out.js';
import { type Held, type Live, medianOf, sampling } from './support/load/memory.js';
import { Service } from './support/load/service.js';
import { compare, type LoadedSession, registerTenants } from './support/load/tenants.js';
import { fixed, note, report, whole } from './support/report.js';
import { median, millisecondsOf, quantile } from './support/rounds.js';

const { quick, folder } = readInvocation();
const TENANTS = quick ? 5 : 50;
const SESSIONS = quick ? 50 : 500;
const LOAD_SECONDS = Number(process.env.PALIMPSEST_BENCH_SECONDS ?? (quick ? 20 : 120));
const READERS = quick ? 100 : 1_000;
/** Concurrent calls of all agents. */
const AGENTS = 16;
const WINDOW = 8_000;
const PARTS = 5;
/** The maximum of events buffered for stream readers of all tenants. */
const EVENTS_HELD = 16_384;
const SNAPSHOTS = process.env.PALIMPSEST_BENCH_SNAPSHOTS;

const service = await Service.start(join(folder, 'service'));
const stop = new AbortController();
setMaxListeners(0, stop.signal); // Each reader is a listener.
const tenants = await registerTenants(service, TENANTS, stop.signal);
const records = newRecords();
const sessions: LoadedSession[] = Array.from({ length: SESSIONS }, (_, at) => {
  const tenant = tenants[at % TENANTS];
  if (!tenant) throw new Error('no tenants');
  return { name: `s-${at}`, tenant, turn: 0 };
});
const inTurns = async (
  work: (session: LoadedSession) => Promise<void>,
  isOver: (next: number) => boolean,
) => {
  const agent = async (): Promise<void> => {
    while (!isOver(next)) {
      const session = sessions[next % SESSIONS];
      next += 1;
      if (session) await work(session);
    }
  };
  await Promise.all(Array.from({ length: AGENTS }, agent));
};
const messageCount = (): number => [...records.appended.values()].flat().length;

let next = 0;
await inTurns(
  async (session) => {
    session.turn = await openWithHistory(session.tenant.client, session.name, WINDOW, records);
  },
  (at) => at >= SESSIONS,
);
const before = messageCount();
note(
  `${TENANTS} tenants, ${SESSIONS} sessions with ${whole(before)} messages; load for ${LOAD_SECONDS} s in ${PARTS} parts`,
);
if (before < EVENTS_HELD)
  note(`the stream buffers up to ${whole(EVENTS_HELD)} events: until then live memory grows`);

const held: Held[] = [];
const lives: Live[] = [];
let loadedMs = 0;
for (let part = 1; part <= PARTS; part += 1) {
  const heldMeanwhile = sampling(() => service.memory());
  const until = performance.now() + (LOAD_SECONDS / PARTS) * 1_000;
  loadedMs += await millisecondsOf(() =>
    inTurns(
      async (session) => {
        session.turn += 1;
        await playTurn(session.tenant.client, session.name, session.turn, records);
      },
      () => performance.now() >= until,
    ),
  );
  held.push(medianOf(heldMeanwhile()));
  if (part !== 2 && part !== PARTS) continue;
  lives.push(
    await service.live(SNAPSHOTS === undefined ? {} : { snapshot: join(SNAPSHOTS, `${part}.heapsnapshot`) }),
  );
}
const messages = messageCount() - before;
const lagMs = await millisecondsOf(async () => {
  while ((await service.lag()) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
});

const { lost, doubled } = await compare(sessions, records);
const fan = tenants[0] && (await fanOut(tenants[0].client, READERS, 'fan-out'));
stop.abort();
await service.stop();
const bareRate = await bareRateOf(join(folder, 'bare'), AGENTS, quick ? 50 : 200);

const rate = (messages / loadedMs) * 1_000;
const errors = [...records.errors.values()].reduce((sum, count) => sum + count, 0);
for (const [code, count] of records.errors) note(`${count} × ${code}`);
report(
  `load: ${whole(messages)} messages of ${SESSIONS} sessions in ${whole(loadedMs / 1_000)} s: ${errors} errors, ${lost.length} lost, ${doubled.length} doubled (promised: none)`,
  ['', 'p50', 'p99'],
  [
    ...Object.entries(records.took)
      .filter(([, took]) => took.length > 0)
      .map(([kind, took]) => [`${kind}, ms`, fixed(median(took), 1), fixed(quantile(took, 0.99), 1)]),
    [
      `delay of an event to each of ${READERS} readers, ms`,
      fixed(median(fan ?? []), 1),
      fixed(quantile(fan ?? [], 0.99), 1),
    ],
  ],
);
report(
  `load: messages reach the log at ${fixed(rate / bareRate)} times the bare client's rate, during composing, projecting and streaming`,
  ['', 'value'],
  [
    ['messages a second', whole(rate)],
    ['bare client, appends a second', whole(bareRate)],
    ['projections caught up after, s', fixed(lagMs / 1_000, 1)],
  ],
);

const [early, late] = lives;
const [, second, last] = [held[0], held[1], held.at(-1)];
if (early && late && second && last) {
  const aliveIn = ({ heap, external }: Live): number => heap + external;
  const row = (name: string, from: number, to: number) => [name, whole(from), whole(to), fixed(to / from)];
  report(
    `load: ${fixed(aliveIn(late) / aliveIn(early))} times the live memory of the second fifth is live in the last fifth (promised: at most 1.1)`,
    ['MB', 'second fifth', 'last fifth', 'ratio'],
    [
      row('live after a full garbage collection', aliveIn(early), aliveIn(late)),
      row('  objects', early.heap, late.heap),
      row('  buffers and WebAssembly memory', early.external, late.external),
      row('resident, median of the fifth', second.service, last.service),
      row('event store and PostgreSQL, private', second.servers, last.servers),
    ],
  );
}
