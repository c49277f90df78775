import { setImmediate as endOfTurn } from 'node:timers/promises';

/** Work in small steps, between which others may have their turn. */
export type Steps<Result> = Generator<undefined, Result>;

/** The event loop is given back after so long. Milliseconds. */
const SLICE_MS = 5;

/** Carries out `steps`, and gives the event loop back every few milliseconds. */
export const inSlices = async <Result>(steps: Steps<Result>): Promise<Result> => {
  let startedAt = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - startedAt < SLICE_MS) continue;
    await endOfTurn();
    startedAt = performance.now();
  }
};
