import { loadEngine } from '../engine.js';
import { configFrom, type GlobalOptions } from '../options.js';

/** Returns the folder of the event log, creating the data folder if needed. @throws {AppError} as {@link openDataFolder}. */
export const eventStoreFolder = async (options: GlobalOptions): Promise<string> => {
  const { openDataFolder } = await loadEngine();
  const { PALIMPSEST_DATA } = await configFrom(options);
  const { eventStore } = await openDataFolder(PALIMPSEST_DATA);
  return eventStore;
};

/** Returns the folder of the event log of an existing data folder. @throws {AppError} as {@link findDataFolder}. */
export const existingEventStoreFolder = async (options: GlobalOptions): Promise<string> => {
  const { findDataFolder } = await loadEngine();
  const { PALIMPSEST_DATA } = await configFrom(options);
  const { eventStore } = await findDataFolder(PALIMPSEST_DATA);
  return eventStore;
};
