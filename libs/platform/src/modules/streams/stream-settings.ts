import { whole } from '../../process-settings.js';

/** Subscribers over HTTP. */
export const streamSettings = {
  /** Readers of one tenant at a time, in one process. */
  PALIMPSEST_STREAM_READERS_MAX: whole(1, 100_000, 'give a number from 1 to 100000').default(200),
  /** How often a stream says that it is alive, where nothing else happens. */
  PALIMPSEST_STREAM_HEARTBEAT_MS: whole(100, 600_000, 'give milliseconds from 100 to 600000').default(15_000),
};
