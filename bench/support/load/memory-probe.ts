/**
 * Loaded into the service beside its program (`--import`), with `--expose-gc`: tells whoever started it what is alive
 * after a full collection. The program knows nothing of it.
 */
import { writeHeapSnapshot } from 'node:v8';
import { invariant } from '@app/kernel';
import { type Live, megabytes, type Order } from './memory.js';

const measure = (): Live => {
  invariant(globalThis.gc, 'start it with --expose-gc');
  globalThis.gc();
  globalThis.gc(); // What finalizers of the first have let go.
  const { heapUsed, external } = process.memoryUsage();
  return { heap: megabytes(heapUsed), external: megabytes(external) };
};

process.on('message', ({ snapshot }: Order) => {
  const live = measure();
  if (snapshot !== undefined) writeHeapSnapshot(snapshot);
  process.send?.(live);
});
process.channel?.unref(); // The program ends when it has nothing to do.
