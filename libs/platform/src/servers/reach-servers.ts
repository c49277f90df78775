import type { AppConfig } from '../config.js';
import { announcedServers } from './addresses.js';
import { findDataFolder } from './data-folder.js';
import { type Servers, startServers } from './servers.js';

export type ReachedServers = Pick<Servers, 'eventStoreUrl' | 'postgresUrl' | 'ownFolder'> & {
  /** Stops the servers if this process has started them. */
  release(): Promise<void>;
};

/**
 * Reaches the configured servers, or those of a data folder: running ones of another process, or started for the caller.
 *
 * @throws {AppError} `data-folder-unusable` if there is no data folder; otherwise as {@link startServers}.
 */
export const reachServers = async (config: AppConfig): Promise<ReachedServers> => {
  const { PALIMPSEST_EVENTSTORE_URL: eventStoreUrl, PALIMPSEST_POSTGRES_URL: postgresUrl } = config;
  if (eventStoreUrl && postgresUrl)
    return { eventStoreUrl, postgresUrl, ownFolder: undefined, release: async () => {} };
  const { path } = await findDataFolder(config.PALIMPSEST_DATA);
  const running = await announcedServers(path);
  if (!running) {
    const servers = await startServers(config);
    return { ...servers, release: () => servers.stop() };
  }
  return {
    eventStoreUrl: eventStoreUrl || running.eventStoreUrl,
    postgresUrl: postgresUrl || running.postgresUrl,
    ownFolder: postgresUrl ? undefined : path,
    release: async () => {},
  };
};
