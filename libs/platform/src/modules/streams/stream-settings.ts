import { whole } from '../../process-settings.js';

/** Settings of event streams. */
export const streamSettings = {
  /** Maximum of concurrent readers of one tenant in one process. */
  PALIMPSEST_STREAM_READERS_MAX: whole(1, 100_000, 'give a number from 1 to 100000').default(200),
  /** Milliseconds between heartbeats of an idle stream. */
  PALIMPSEST_STREAM_HEARTBEAT_MS: whole(100, 600_000, 'give milliseconds from 100 to 600000').default(15_000),
};
