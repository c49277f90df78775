/**
 * Preloaded into the service (`--import`) with `--expose-gc`: reports live memory after a full garbage collection,
 * and event loop delays, to the parent process. The program itself is unchanged.
 */
import { writeHeapSnapshot } from 'node:v8';
import { invariant } from '@app/kernel';
import { watchDelays } from './loop-delay.js';
import { type Live, megabytes, type Order } from './memory.js';

const measure = (): Live => {
  invariant(globalThis.gc, 'start it with --expose-gc');
  globalThis.gc();
  globalThis.gc(); // Collects what the first run's finalizers released.
  const { heapUsed, external } = process.memoryUsage();
  return { heap: megabytes(heapUsed), external: megabytes(external) };
};

const delays = watchDelays();

process.on('message', ({ snapshot, isOfLoop }: Order) => {
  if (isOfLoop) return void process.send?.(delays());
  const live = measure();
  if (snapshot !== undefined) writeHeapSnapshot(snapshot);
  process.send?.(live);
});
process.channel?.unref(); // Does not keep the program alive.
