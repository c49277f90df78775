/** A thread that does nothing else: its event loop delays are those that the machine imposes on every process. */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { z } from 'zod';
import { type LoopDelay, watchDelays } from './loop-delay.js';

const delay = z.object({ p50Ms: z.number(), p99Ms: z.number(), maxMs: z.number() });

/** Starts the thread; the returned function ends it and returns its delays. */
export const watchIdleLoop = async (): Promise<() => Promise<LoopDelay>> => {
  const thread = new Worker(fileURLToPath(import.meta.url));
  const ask = async (): Promise<LoopDelay> => {
    const answer = once(thread, 'message');
    thread.postMessage('delays');
    return delay.parse((await answer)[0]);
  };
  await ask();
  return async () => {
    const delays = await ask();
    await thread.terminate();
    return delays;
  };
};

if (!isMainThread) {
  const delays = watchDelays();
  parentPort?.on('message', () => parentPort?.postMessage(delays()));
}
