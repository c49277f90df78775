/**
 * The service under load: tenants with many sessions each, whose agents append, compose and look back, while a reader of
 * each tenant's stream follows. Afterwards the clients' own records are held against the stream and the exports: nothing
 * may be lost or doubled. Then the read models must catch up, and one tenant's events go out to many readers at once.
 * Appends are shown beside those of the bare event-store client, on a server of its own, in the same run.
 */
import 'reflect-metadata';
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { PalimpsestClient } from '@app/client';
import { SessionId, TenantId } from '@app/kernel';
import { openBareClient } from './support/appending/bare-client.js';
import { withEventStore } from './support/event-store.js';
import { readInvocation } from './support/invocation.js';
import { newRecords, playTurn } from './support/load/agents.js';
import { fanOut } from './support/load/fan-out.js';
import { followTenant, type Reading } from './support/load/readers.js';
import { ADMIN_KEY, Service } from './support/load/service.js';
import { fixed, note, report, whole } from './support/report.js';
import { median, millisecondsOf, quantile } from './support/rounds.js';
import { questionMessage } from './support/sessions/turn-messages.js';

const { quick, folder } = readInvocation();
const TENANTS = quick ? 5 : 50;
const SESSIONS = quick ? 50 : 500;
const LOAD_MS = quick ? 20_000 : 120_000;
const READERS = quick ? 100 : 1_000;
/** Calls under way at a time, all agents together. */
const AGENTS = 16;
const WINDOW = 8_000;

type Tenant = { readonly client: PalimpsestClient; readonly reading: Reading };

const service = await Service.start(join(folder, 'service'));
const admin = new PalimpsestClient({ url: service.url, apiKey: ADMIN_KEY });
const stop = new AbortController();
setMaxListeners(0, stop.signal); // Each reader is one.
const tenants: Tenant[] = [];
for (let at = 0; at < TENANTS; at += 1) {
  const { key } = await admin.keys.registerTenant({ tenant: `load_${at}`, name: `Load ${at}` });
  const client = new PalimpsestClient({ url: service.url, apiKey: key });
  await client.keys.changeLimits({ requestsPerSecond: 100_000, requestsPerMinute: 1_000_000 });
  tenants.push({ client, reading: followTenant(client, stop.signal) });
}
const sessions = Array.from({ length: SESSIONS }, (_, at) => ({
  name: `s-${at}`,
  tenant: tenants[at % TENANTS],
  turn: 0,
}));
for (const { name, tenant } of sessions)
  await tenant?.client.sessions.open({ session: name, window: WINDOW });
note(`${TENANTS} tenants, ${SESSIONS} sessions; load for ${LOAD_MS / 1_000} s`);

const records = newRecords();
const memory: number[] = [];
const sampling = setInterval(() => {
  void service.memory().then((megabytes) => memory.push(megabytes));
}, 1_000);
const until = performance.now() + LOAD_MS;
let next = 0;
const agent = async (): Promise<void> => {
  while (performance.now() < until) {
    const session = sessions[next % SESSIONS];
    next += 1;
    if (!session?.tenant) continue;
    session.turn += 1;
    await playTurn(session.tenant.client, session.name, session.turn, records);
  }
};
const loadedMs = await millisecondsOf(() => Promise.all(Array.from({ length: AGENTS }, agent)));
clearInterval(sampling);
const lagMs = await millisecondsOf(async () => {
  while ((await service.lag()) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
});

const lost: string[] = [];
const doubled: string[] = [];
for (const { name, tenant } of sessions) {
  const acknowledged = records.appended.get(name) ?? [];
  const stored: string[] = [];
  for await (const { id } of tenant?.client.sessions.export(name) ?? []) stored.push(id);
  const seen = await tenant?.reading.seen(name, acknowledged.length);
  for (const id of acknowledged) {
    if (!stored.includes(id) || !seen?.includes(id)) lost.push(id);
    if (stored.indexOf(id) !== stored.lastIndexOf(id) || seen?.indexOf(id) !== seen?.lastIndexOf(id))
      doubled.push(id);
  }
}
const fan = tenants[0] && (await fanOut(tenants[0].client, READERS));
stop.abort();
await service.stop();

const bareRate = await withEventStore(join(folder, 'bare'), async ({ url }) => {
  const bare = openBareClient(url);
  const messages = Array.from({ length: quick ? 50 : 200 }, (_, at) => questionMessage(at + 1));
  const prepared = await Promise.all(
    Array.from({ length: AGENTS }, (_, at) =>
      bare.prepare({ tenant: TenantId('bare'), session: SessionId(`s-${at}`) }, messages),
    ),
  );
  const took = await millisecondsOf(() =>
    Promise.all(
      prepared.map(async (appends) => {
        for (const append of appends) await append();
      }),
    ),
  );
  await bare.close();
  return (prepared.flat().length / took) * 1_000;
});

const messages = [...records.appended.values()].flat().length;
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
/** Median of the megabytes in one of five parts of the load, from 0. */
const memoryIn = (fifth: number): number =>
  median(memory.slice(Math.floor((memory.length * fifth) / 5), Math.ceil((memory.length * (fifth + 1)) / 5)));
report(
  `load: messages reach the log at ${fixed(rate / bareRate)} of the bare client's rate, with composing, projecting and streaming beside`,
  ['', 'value'],
  [
    ['messages a second', whole(rate)],
    ['bare client, appends a second', whole(bareRate)],
    ['projections caught up after, s', fixed(lagMs / 1_000, 1)],
    ['memory of the last fifth to the second', fixed(memoryIn(4) / memoryIn(1))],
    ['memory of the second and the last fifth, MB', `${whole(memoryIn(1))} and ${whole(memoryIn(4))}`],
  ],
);
