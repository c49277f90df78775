/**
 * Durable appends of one event to the embedded event store, by one writer and by 32, compared with their limits: a
 * disk that only syncs the same bytes, the same server on a storage engine that discards everything, and Emmett on
 * the embedded PostgreSQL. The client is EventStoreDB's own, and every server a separate process.
 */
import { join } from 'node:path';
import { spawnEventStore } from '@app/embedded-event-store';
import { OTHER_EVENT_STORE, readInvocation } from './support/invocation.js';
import { fixed, note, report, whole } from './support/report.js';
import { type Contestant, median, quantile, ratioOf, takeTurns } from './support/rounds.js';
import { bareCommits } from './support/store/bare-commits.js';
import { EMMETT_MISSING, openEmmett } from './support/store/emmett.js';
import { startPeer } from './support/store/peers.js';
import { appendBy, connect, rateOf } from './support/store/writers.js';

const { quick, folder } = readInvocation();
const TIMES = quick ? { rounds: 5, warmUps: 2 } : { rounds: 15, warmUps: 4 };
const LOADS = [
  { writers: 1, appends: 400 },
  { writers: 32, appends: 60 },
] as const;

const server = await spawnEventStore({ dataDir: join(folder, 'eventstore') });
const forgetting = await startPeer('forgetting');
const emmett = await openEmmett(folder);
const clients = { store: connect(server.url), forgetting: connect(forgetting.url) };
const other = OTHER_EVENT_STORE ? connect(OTHER_EVENT_STORE) : undefined;

for (const load of LOADS) {
  const contestants: Record<string, Contestant> = {
    'event store': rateOf(appendBy(clients.store), load),
    ...(other ? { 'other event store': rateOf(appendBy(other), load) } : {}),
    'engine without disk': rateOf(appendBy(clients.forgetting), load),
    'write and fdatasync': await bareCommits(folder, load),
    ...(emmett ? { 'Emmett on PostgreSQL': rateOf(emmett.appendOne, load) } : {}),
  };
  const rates = await takeTurns(contestants, TIMES);
  const store = rates.get('event store') ?? [];
  const peers = [...rates].filter(([name]) => name !== 'event store');
  const shares = peers.map(([name, rate]) => `${fixed(ratioOf(store, rate))} of ${name}`);
  report(
    `event-store: ${load.writers} ${load.writers === 1 ? 'writer' : 'writers'}: ${shares.join(', ')}`,
    ['appends per second', 'median', '10 % … 90 %'],
    [...rates].map(([name, rate]) => [
      name,
      whole(median(rate)),
      `${whole(quantile(rate, 0.1))} … ${whole(quantile(rate, 0.9))}`,
    ]),
  );
}
if (!emmett) note(EMMETT_MISSING);

await Promise.all([clients.store.dispose(), clients.forgetting.dispose(), other?.dispose(), emmett?.close()]);
forgetting.stop();
await server.stop();
