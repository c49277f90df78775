import { findDataFolder, openDataFolder } from '@app/platform';
import { configFrom, type GlobalOptions } from '../options.js';

/** Where the event log of the data folder lies. @throws {AppError} as {@link openDataFolder}. */
export const eventStoreFolder = async (options: GlobalOptions): Promise<string> => {
  const { eventStore } = await openDataFolder(configFrom(options).PALIMPSEST_DATA);
  return eventStore;
};

/** The same where it must exist already. @throws {AppError} as {@link findDataFolder}. */
export const existingEventStoreFolder = async (options: GlobalOptions): Promise<string> => {
  const { eventStore } = await findDataFolder(configFrom(options).PALIMPSEST_DATA);
  return eventStore;
};
