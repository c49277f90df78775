import { openPalimpsest, type Palimpsest } from '@app/platform';
import { Interruption } from './interruption.js';
import { configFrom, type GlobalOptions } from './options.js';
import { outputFailure } from './output/flushed.js';

/**
 * Runs one command on a started Palimpsest and stops it afterwards, whatever happens: also on Ctrl-C, where the
 * reader of the output has gone, and where a server ends under it. Before the command begins, compactions that a
 * crash has interrupted are finished.
 */
export const withPalimpsest = async (
  options: GlobalOptions,
  run: (palimpsest: Palimpsest) => Promise<void>,
): Promise<void> => {
  const interruption = new Interruption();
  try {
    // Servers that are just starting are let finish: only then can they be stopped in good order.
    const palimpsest = await openPalimpsest(configFrom(options), { onProblem: unheard });
    try {
      interruption.throwIfAsked();
      const work = settle(palimpsest).then(() => run(palimpsest));
      await Promise.race([work, palimpsest.failure, interruption.happened, outputFailure]);
    } finally {
      await palimpsest.close();
    }
  } finally {
    interruption.forget();
  }
};

/** What was survived is no news to whoever waits for a result; what was not ends the command. */
const unheard = (): (() => void) => () => {};

/** Brings the rows up to the end of the log, and open compactions to their end. */
const settle = async (palimpsest: Palimpsest): Promise<void> => {
  await caughtUp(palimpsest);
  for (const { tenant, session, compactionId } of await palimpsest.readModels.unfinishedCompactions()) {
    await palimpsest.outcomes.outcomeOf({ tenant, session }, compactionId);
  }
};

/** Resolves when everything recorded so far can be seen in the rows. */
export const caughtUp = async ({ projector, subscriptions }: Palimpsest): Promise<void> =>
  projector.reached(await subscriptions.head(), new AbortController().signal);
