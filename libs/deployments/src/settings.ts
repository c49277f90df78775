import type { Settings } from './processes/service-process.js';

export const ADMIN_KEY = 'pal_a_key_for_tests';

/** Servers that run already, and that nobody here may kill. */
export type OwnServers = { readonly eventStoreUrl?: string; readonly postgresUrl?: string };

/** What every program of a deployment is told. */
export const sharedSettings = (
  eventStoreUrl: string,
  postgresUrl: string,
  unused: string,
  settings: Settings,
): Settings => ({
  PALIMPSEST_DATA: unused,
  PALIMPSEST_EVENTSTORE_URL: eventStoreUrl,
  PALIMPSEST_POSTGRES_URL: postgresUrl,
  PALIMPSEST_HTTP_PORT: '0',
  PALIMPSEST_OPERATIONS_PORT: '0',
  PALIMPSEST_API_KEY: ADMIN_KEY,
  ...settings,
});
