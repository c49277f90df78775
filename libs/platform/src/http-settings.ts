import { z } from 'zod';
import { whole } from './process-settings.js';

/** Limits of client requests over HTTP. Times are in milliseconds, body sizes in MiB. */
export const httpSettings = {
  /** Time for the head of a request to arrive, counted from the connection or the previous request. */
  PALIMPSEST_HTTP_HEADERS_TIMEOUT_MS: whole('milliseconds', 100, 600_000).default(15_000),
  /** Maximum pause within a body. */
  PALIMPSEST_HTTP_BODY_IDLE_TIMEOUT_MS: whole('milliseconds', 100, 600_000).default(15_000),
  /** Time for a whole JSON body to arrive; an import is bounded by the pauses in it alone. */
  PALIMPSEST_HTTP_BODY_TIMEOUT_MS: whole('milliseconds', 100, 3_600_000).default(120_000),
  /** Time until an idle connection is closed. */
  PALIMPSEST_HTTP_KEEP_ALIVE_TIMEOUT_MS: whole('milliseconds', 100, 600_000).default(60_000),
  /** Time for running requests to end after SIGTERM; then their connections are cut. */
  PALIMPSEST_HTTP_SHUTDOWN_TIMEOUT_MS: whole('milliseconds', 100, 3_600_000).default(25_000),
  /** JSON bodies in memory of one process: of one tenant, and of all tenants. */
  PALIMPSEST_HTTP_BODY_MEMORY_PER_TENANT_MB: whole('MiB', 32, 1_000_000).default(128),
  PALIMPSEST_HTTP_BODY_MEMORY_MB: whole('MiB', 32, 1_000_000).default(512),
};

/** Settings of event streams. */
export const streamSettings = {
  /** Maximum of concurrent readers of one tenant in one process. */
  PALIMPSEST_STREAM_READERS_MAX: whole('a number', 1, 100_000).default(200),
  /** Milliseconds between heartbeats of an idle stream. */
  PALIMPSEST_STREAM_HEARTBEAT_MS: whole('milliseconds', 100, 600_000).default(15_000),
};

/** Settings of webhooks. */
export const webhookSettings = {
  /** Whether webhook URLs may lead to private and loopback addresses, and so into the service's own network. */
  PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: z
    .enum(['true', 'false'], { error: 'give true or false' })
    .default('false')
    .transform((text) => text === 'true'),
  /** Milliseconds for one attempt. */
  PALIMPSEST_WEBHOOK_TIMEOUT_MS: whole('milliseconds', 100, 600_000).default(15_000),
};
