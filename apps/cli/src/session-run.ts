import { openPalimpsest, type Palimpsest } from '@app/platform';
import { configFrom, type GlobalOptions } from './options.js';
import { Interrupted } from './output/report-error.js';

/**
 * Runs one command on a started Palimpsest and stops it afterwards, whatever happens: also on Ctrl-C, and where a
 * server ends under it. Before the command begins, compactions that a crash has interrupted are finished.
 */
export const withPalimpsest = async (
  options: GlobalOptions,
  run: (palimpsest: Palimpsest) => Promise<void>,
): Promise<void> => {
  const palimpsest = await openPalimpsest(configFrom(options));
  const interruption = new Interruption();
  try {
    const work = settle(palimpsest).then(() => run(palimpsest));
    await Promise.race([work, palimpsest.failure, interruption.happened]);
  } finally {
    await palimpsest.close();
    interruption.forget();
  }
};

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

class Interruption {
  private stop: () => void = () => {};
  readonly happened = new Promise<never>((_, reject) => {
    this.stop = () => reject(new Interrupted());
  });

  constructor() {
    this.happened.catch(() => {});
    for (const signal of SIGNALS) process.on(signal, this.stop);
  }

  forget(): void {
    for (const signal of SIGNALS) process.off(signal, this.stop);
  }
}
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
