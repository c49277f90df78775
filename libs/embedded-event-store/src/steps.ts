import { setImmediate as yieldToLoop } from 'node:timers/promises';

/** A computation in small steps, which may yield to the event loop. */
export type Steps<Result> = Generator<undefined, Result>;

/** The longest time without yielding to the event loop. Milliseconds. */
const SLICE_MS = 5;

/** Runs `steps`, and yields to the event loop every few milliseconds. */
export const inSlices = async <Result>(steps: Steps<Result>): Promise<Result> => {
  let startedAt = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - startedAt < SLICE_MS) continue;
    await yieldToLoop();
    startedAt = performance.now();
  }
};
