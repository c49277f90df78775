import { whole } from './process-settings.js';

/** Limits of client requests over HTTP. Times are in milliseconds, body sizes in MiB. */
export const httpSettings = {
  /** Time for the head of a request to arrive, counted from the connection or the previous request. */
  PALIMPSEST_HTTP_HEADERS_TIMEOUT_MS: whole(100, 600_000, 'give milliseconds from 100 to 600000').default(
    15_000,
  ),
  /** Maximum pause within a body. */
  PALIMPSEST_HTTP_BODY_IDLE_TIMEOUT_MS: whole(100, 600_000, 'give milliseconds from 100 to 600000').default(
    15_000,
  ),
  /** Time for a whole JSON body to arrive; an import is bounded by the pauses in it alone. */
  PALIMPSEST_HTTP_BODY_TIMEOUT_MS: whole(100, 3_600_000, 'give milliseconds from 100 to 3600000').default(
    120_000,
  ),
  /** Time until an idle connection is closed. */
  PALIMPSEST_HTTP_KEEP_ALIVE_TIMEOUT_MS: whole(100, 600_000, 'give milliseconds from 100 to 600000').default(
    60_000,
  ),
  /** Time for running requests to end after SIGTERM; then their connections are cut. */
  PALIMPSEST_HTTP_SHUTDOWN_TIMEOUT_MS: whole(100, 3_600_000, 'give milliseconds from 100 to 3600000').default(
    25_000,
  ),
  /** JSON bodies in memory of one process: of one tenant, and of all tenants. */
  PALIMPSEST_HTTP_BODY_MEMORY_PER_TENANT_MB: whole(32, 1_000_000, 'give MiB from 32 to 1000000').default(128),
  PALIMPSEST_HTTP_BODY_MEMORY_MB: whole(32, 1_000_000, 'give MiB from 32 to 1000000').default(512),
};
