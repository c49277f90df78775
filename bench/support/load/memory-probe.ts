/**
 * Loaded into the service beside its program (`--import`), with `--expose-gc`: tells whoever started it what is alive
 * after a full collection, and how long its loop was blocked. The program knows nothing of it.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { writeHeapSnapshot } from 'node:v8';
import { invariant } from '@app/kernel';
import { type Live, type LoopDelay, megabytes, type Order } from './memory.js';

const measure = (): Live => {
  invariant(globalThis.gc, 'start it with --expose-gc');
  globalThis.gc();
  globalThis.gc(); // What finalizers of the first have let go.
  const { heapUsed, external } = process.memoryUsage();
  return { heap: megabytes(heapUsed), external: megabytes(external) };
};

/** Nanoseconds, by a timer of each millisecond. */
const loop = monitorEventLoopDelay({ resolution: 1 });

/** What was measured since the last time; measuring begins with the first. */
const delays = (): LoopDelay => {
  const [p50Ms = 0, p99Ms = 0, maxMs = 0] = [loop.percentile(50), loop.percentile(99), loop.max].map(
    (nanoseconds) => nanoseconds / 1e6,
  );
  loop.enable();
  loop.reset();
  return { p50Ms, p99Ms, maxMs };
};

process.on('message', ({ snapshot, isOfLoop }: Order) => {
  if (isOfLoop) return void process.send?.(delays());
  const live = measure();
  if (snapshot !== undefined) writeHeapSnapshot(snapshot);
  process.send?.(live);
});
process.channel?.unref(); // The program ends when it has nothing to do.
