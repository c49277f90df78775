import type { Palimpsest } from '@app/platform';

/** Resolves when everything recorded so far can be seen in the rows. */
export const caughtUp = async ({ projector, subscriptions }: Palimpsest): Promise<void> =>
  projector.reached(await subscriptions.head(), new AbortController().signal);
