/**
 * The cost of a log's size for the embedded event store: the server's memory after many events, and its restart time
 * with them. Memory excludes the pages of the log's own file, which the kernel counts for the server and reclaims
 * when needed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnEventStore } from '@app/embedded-event-store';
import { readInvocation } from './support/invocation.js';
import { fixed, note, report, whole } from './support/report.js';
import { median, millisecondsOf } from './support/rounds.js';
import { clientEvent } from './support/store/events.js';
import { connect } from './support/store/writers.js';

const { quick, folder } = readInvocation();
/** Events of the larger log; `PALIMPSEST_BENCH_EVENTS=10000000` for the published figure. */
const LARGE = Number(process.env.PALIMPSEST_BENCH_EVENTS ?? (quick ? 100_000 : 1_000_000));
const SMALL = LARGE / 10;
const APPEND_COUNT = 1_000;
const UNDER_WAY = 2;
const STARTS = 5;
const dataDir = join(folder, 'eventstore');

type Figures = {
  readonly events: number;
  readonly own: number;
  readonly all: number;
  readonly start: number;
};

/** Memory in MiB as the kernel reports it: private memory, and all resident memory including file pages. */
const memoryOf = (pid: number): { own: number; all: number } => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
  return { own: kibibytes('RssAnon') / 1_024, all: kibibytes('VmRSS') / 1_024 };
};

/** Appends events until there are `until`, and returns the server's memory. */
const grow = async (from: number, until: number): Promise<{ own: number; all: number }> => {
  const server = await spawnEventStore({ dataDir });
  const client = connect(server.url);
  let count = from;
  const append = async (): Promise<void> => {
    while (count < until) {
      count += APPEND_COUNT;
      await client.appendToStream(
        `size-${count % 1_000_000}`,
        Array.from({ length: APPEND_COUNT }, clientEvent),
      );
    }
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, append));
  const memory = memoryOf(server.pid);
  await client.dispose();
  await server.stop();
  return memory;
};

const startOf = async (): Promise<number> => {
  const times: number[] = [];
  for (let at = 0; at < STARTS; at += 1) {
    const startedAt = performance.now();
    const server = await spawnEventStore({ dataDir });
    times.push(performance.now() - startedAt);
    await server.stop();
  }
  return median(times);
};

const figures: Figures[] = [];
let events = 0;
for (const until of [SMALL, LARGE]) {
  const seconds =
    (await millisecondsOf(async () => {
      const memory = await grow(events, until);
      figures.push({ events: until, ...memory, start: await startOf() });
    })) / 1_000;
  note(`${whole(until)} events after ${fixed(seconds, 0)} seconds`);
  events = until;
}
const [small, large] = figures;
if (small && large)
  report(
    `event-store-size: ${fixed(large.own / small.own)} times the memory at ten times the events, and a start in ${whole(large.start)} ms`,
    ['events', 'private memory, MiB', 'resident memory, MiB', 'start, ms'],
    figures.map(({ events: count, own, all, start }) => [whole(count), whole(own), whole(all), whole(start)]),
  );
