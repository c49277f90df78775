import { AppError } from '@app/kernel';
import { openPalimpsest, type Palimpsest } from '@app/platform';
import { Interruption } from './interruption.js';
import { configFrom, type GlobalOptions } from './options.js';
import { outputFailure } from './output/flushed.js';
import { note } from './output/print.js';

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

/** What a crash has interrupted is finished within moments; what takes longer must not hold up every command. */
const SETTLE_MS = 60_000;

/** Brings the rows up to the end of the log, and open compactions to their end, as far as that goes. */
const settle = async (palimpsest: Palimpsest): Promise<void> => {
  await caughtUp(palimpsest);
  const until = performance.now() + SETTLE_MS;
  for (const { tenant, session, compactionId } of await palimpsest.readModels.unfinishedCompactions()) {
    try {
      const patienceMs = Math.max(0, Math.floor(until - performance.now()));
      await palimpsest.outcomes.outcomeOf({ tenant, session }, compactionId, patienceMs);
    } catch (error) {
      // The command may be about another session; if it is not, it meets the same error itself.
      if (!(error instanceof AppError)) throw error;
      note(`session ${session} is left as it is: ${error.message}`);
    }
  }
};

/** Resolves when everything recorded so far can be seen in the rows, but for those of projections that have stopped. */
export const caughtUp = async ({ projector, subscriptions }: Palimpsest): Promise<void> => {
  try {
    await projector.reached(await subscriptions.head(), new AbortController().signal);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'projection-stopped')) throw error;
    note(`${error.message}: \`palimpsest projections status\` [${error.code}]`);
  }
};
