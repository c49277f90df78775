import { AppError } from '@app/kernel';
import type { Palimpsest } from '@app/platform';
import { note } from '../output/print.js';

/** Resolves when everything recorded so far can be seen in the rows, but for those of projections that have stopped. */
export const caughtUp = async ({ projector, subscriptions }: Palimpsest): Promise<void> => {
  try {
    await projector.reached(await subscriptions.head(), new AbortController().signal);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'projection-stopped')) throw error;
    note(`${error.message}: \`palimpsest projections status\` [${error.code}]`);
  }
};
