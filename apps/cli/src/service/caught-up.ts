import type { Palimpsest } from '@app/platform';
import { note } from '../output/print.js';

/**
 * Resolves when the read models include all recorded events; prints a note for stopped streams and does not wait for
 * them.
 */
export const caughtUp = async ({ projector, subscriptions, readModels }: Palimpsest): Promise<void> => {
  await projector.reached(await subscriptions.head(), new AbortController().signal);
  const stopped = (await readModels.status()).filter(({ stoppedStreams }) => stoppedStreams > 0);
  if (stopped.length === 0) return;
  const which = stopped
    .map(({ projection, stoppedStreams }) => `${projection} (${stoppedStreams})`)
    .join(', ');
  note(
    `rows of some streams are stopped and may lack events, by projection: ${which}; see \`palimpsest projections stopped\` [projection-stopped]`,
  );
};
