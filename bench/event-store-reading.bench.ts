/**
 * Reads from the embedded event store: a stream, compared with the same client and a server that repeats one
 * pre-encoded event; the delay until a subscriber receives an append, compared with the append's round trip; and many
 * filtered subscribers to $all. Every server is a separate process.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { spawnEventStore } from '@app/embedded-event-store';
import { type EventStoreDBClient, streamNameFilter } from '@eventstore/db-client';
import { OTHER_EVENT_STORE, readInvocation } from './support/invocation.js';
import { fixed, report, whole } from './support/report.js';
import { type Contestant, median, millisecondsOf, quantile, ratioOf, takeTurns } from './support/rounds.js';
import { clientEvent } from './support/store/events.js';
import { startPeer } from './support/store/peers.js';
import { Subscribers } from './support/store/subscribers.js';
import { connect } from './support/store/writers.js';

const { quick, folder } = readInvocation();
const TIMES = quick ? { rounds: 5, warmUps: 2 } : { rounds: 15, warmUps: 3 };
const EVENTS = 10_000;
/** The number of measured sequential appends. */
const APPENDS = quick ? 300 : 2_000;
const SUBSCRIBERS = 1_000;
const EVENTS_FOR_ALL = quick ? 20 : 100;
const APPEND_COUNT = 500;

const server = await spawnEventStore({ dataDir: join(folder, 'eventstore') });
const repeating = await startPeer('repeating');
const client = connect(server.url);
const peer = connect(repeating.url);
const other = OTHER_EVENT_STORE ? connect(OTHER_EVENT_STORE) : undefined;
const STREAM = `read-${randomUUID()}`;

const readRateOf = (from: EventStoreDBClient) => async (): Promise<number> => {
  let events = 0;
  const milliseconds = await millisecondsOf(async () => {
    for await (const _ of from.readStream(STREAM, { maxCount: EVENTS })) events += 1;
  });
  return (events / milliseconds) * 1_000;
};

for (let count = 0; count < EVENTS; count += APPEND_COUNT)
  for (const store of other ? [client, other] : [client])
    await store.appendToStream(STREAM, Array.from({ length: APPEND_COUNT }, clientEvent));
const readers: Record<string, Contestant> = {
  'event store': readRateOf(client),
  ...(other ? { 'other event store': readRateOf(other) } : {}),
  repeated: readRateOf(peer),
};
const rates = await takeTurns(readers, TIMES);
report(
  `event-store-reading: a stream at ${fixed(ratioOf(rates.get('event store') ?? [], rates.get('repeated') ?? []))} of the rate of one event repeated`,
  ['events per second', 'median', '10 % … 90 %'],
  [...rates].map(([name, rate]) => [
    name,
    whole(median(rate)),
    `${whole(quantile(rate, 0.1))} … ${whole(quantile(rate, 0.9))}`,
  ]),
);

const one = await Subscribers.open(client, 1, streamNameFilter({ prefixes: ['watched-'] }));
const appended: number[] = [];
const delivered: number[] = [];
for (let at = 1; at <= APPENDS; at += 1) {
  const startedAt = performance.now();
  const arrived = one.received(at).then(() => delivered.push(performance.now() - startedAt));
  await client.appendToStream('watched-1', clientEvent());
  appended.push(performance.now() - startedAt);
  await arrived;
}
await one.close();
report(
  `event-store-reading: a filtered subscriber receives an event after ${fixed(median(delivered) / median(appended))} of an append's round trip`,
  ['milliseconds', 'median', '99 %'],
  [
    ['append', fixed(median(appended), 3), fixed(quantile(appended, 0.99), 3)],
    ['to the subscriber', fixed(median(delivered), 3), fixed(quantile(delivered, 0.99), 3)],
  ],
);

const deliveriesOf = (count: number) => async (): Promise<number> => {
  const all = await Subscribers.open(client, count, streamNameFilter({ prefixes: ['many-'] }));
  const milliseconds = await millisecondsOf(async () => {
    for (let at = 0; at < EVENTS_FOR_ALL; at += 1) {
      await client.appendToStream('many-1', clientEvent());
      await client.appendToStream('other-1', clientEvent());
    }
    await all.received(EVENTS_FOR_ALL);
  });
  await all.close();
  return ((count * EVENTS_FOR_ALL) / milliseconds) * 1_000;
};
const deliveries = await deliveriesOf(SUBSCRIBERS)();
report(
  `event-store-reading: ${whole(SUBSCRIBERS)} filtered subscribers, ${whole(deliveries)} deliveries per second`,
  ['subscribers', 'deliveries per second'],
  [
    [whole(SUBSCRIBERS), whole(deliveries)],
    ['1', whole(await deliveriesOf(1)())],
  ],
);

await Promise.all([client.dispose(), peer.dispose(), other?.dispose()]);
repeating.stop();
await server.stop();
