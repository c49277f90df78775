/**
 * The service under load: tenants with many sessions each, whose agents append, compose and look back, while a reader of
 * each tenant's stream follows. Afterwards the clients' own records are held against the stream and the exports: nothing
 * may be lost or doubled. Then the read models must catch up, and one tenant's events go out to many readers at once.
 * Appends are shown beside those of the bare event-store client, on a server of its own, in the same run.
 *
 * Sessions begin with a history near their window, and with more events than are held for readers of the stream: what
 * holds sessions and events is at its bounds before memory is measured, and what grows from then on grows with traffic.
 */
import 'reflect-metadata';
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { readInvocation } from './support/invocation.js';
import { newRecords, openWithHistory, playTurn } from './support/load/agents.js';
import { bareRateOf } from './support/load/bare-rate.js';
import { fanOut } from './support/load/fan-out.js';
import { type Held, type Live, sampling } from './support/load/memory.js';
import { Service } from './support/load/service.js';
import { compare, type LoadedSession, registerTenants } from './support/load/tenants.js';
import { fixed, note, report, whole } from './support/report.js';
import { median, millisecondsOf, quantile } from './support/rounds.js';

const { quick, folder } = readInvocation();
const TENANTS = quick ? 5 : 50;
const SESSIONS = quick ? 50 : 500;
const LOAD_SECONDS = Number(process.env.PALIMPSEST_BENCH_SECONDS ?? (quick ? 20 : 120));
const READERS = quick ? 100 : 1_000;
/** Calls under way at a time, all agents together. */
const AGENTS = 16;
const WINDOW = 8_000;
const PARTS = 5;
/** Held at most for readers of the stream, of all tenants together. */
const EVENTS_HELD = 16_384;
const SNAPSHOTS = process.env.PALIMPSEST_BENCH_SNAPSHOTS;

const service = await Service.start(join(folder, 'service'));
const stop = new AbortController();
setMaxListeners(0, stop.signal); // Each reader is one.
const tenants = await registerTenants(service, TENANTS, stop.signal);
const records = newRecords();
const sessions: LoadedSession[] = Array.from({ length: SESSIONS }, (_, at) => {
  const tenant = tenants[at % TENANTS];
  if (!tenant) throw new Error('there are tenants');
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
  note(`readers of the stream may be held ${whole(EVENTS_HELD)} events: until then what is alive grows`);

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
  held.push(heldMeanwhile());
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
const fan = tenants[0] && (await fanOut(tenants[0].client, READERS));
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
      `event to each of ${READERS} readers, ms`,
      fixed(median(fan ?? []), 1),
      fixed(quantile(fan ?? [], 0.99), 1),
    ],
  ],
);
report(
  `load: messages reach the log at ${fixed(rate / bareRate)} of the bare client's rate, with composing, projecting and streaming beside`,
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
    `load: ${fixed(aliveIn(late) / aliveIn(early))} of the memory is alive at the end that was alive after two fifths (promised: at most 1.1)`,
    ['MB', 'second fifth', 'last fifth', 'ratio'],
    [
      row('alive after a full collection', aliveIn(early), aliveIn(late)),
      row('  objects', early.heap, late.heap),
      row('  bytes, and memory of WebAssembly', early.external, late.external),
      row('resident, median of the fifth', second.service, last.service),
      row('event store and PostgreSQL, their own', second.servers, last.servers),
    ],
  );
}
