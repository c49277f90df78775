/**
 * Preloaded into the service (`--import`) with `--expose-gc`: reports live memory after a full garbage collection,
 * and event loop delays, to the parent process. The program itself is unchanged.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { writeHeapSnapshot } from 'node:v8';
import { invariant } from '@app/kernel';
import { type Live, type LoopDelay, megabytes, type Order } from './memory.js';

const measure = (): Live => {
  invariant(globalThis.gc, 'start it with --expose-gc');
  globalThis.gc();
  globalThis.gc(); // Collects what the first run's finalizers released.
  const { heapUsed, external } = process.memoryUsage();
  return { heap: megabytes(heapUsed), external: megabytes(external) };
};

/** Nanoseconds, sampled every millisecond. */
const loop = monitorEventLoopDelay({ resolution: 1 });

/** Returns the delays since the previous call; the first call starts the measurement. */
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
process.channel?.unref(); // Does not keep the program alive.
