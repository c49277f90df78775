import type { AppConfig } from './config.js';
import { openPalimpsest } from './open-palimpsest.js';
import type { Palimpsest } from './palimpsest.js';
import type { JoinedServers } from './servers/joined-servers.js';
import { serveOperations } from './telemetry/serve-operations.js';

/** A started process. */
export type Running = {
  /** URL of the API, or of health and metrics; `undefined` if it listens on no port. */
  readonly url: string | undefined;
  readonly palimpsest: Palimpsest;
  close(): Promise<void>;
};

/**
 * Starts the engine without the API; serves health and metrics if `PALIMPSEST_OPERATIONS_PORT` is set.
 *
 * @param servers running servers of the parent process.
 * @throws {AppError} `port-in-use`, `host-unusable`, and as the servers do; nothing is left running then.
 */
export const startWorker = async (config: AppConfig, servers?: JoinedServers): Promise<Running> => {
  const { PALIMPSEST_HTTP_HOST: host, PALIMPSEST_OPERATIONS_PORT: port } = config;
  const palimpsest = await openPalimpsest(config, {}, servers);
  try {
    const served = port === undefined ? undefined : await serveOperations(palimpsest.operations, host, port);
    const close = async (): Promise<void> => {
      await served?.close();
      await palimpsest.close();
    };
    return { url: served?.url, palimpsest, close };
  } catch (error) {
    await palimpsest.close();
    throw error;
  }
};
