import { randomBytes } from 'node:crypto';
import type { Settings } from './processes/service-process.js';

export const ADMIN_KEY = 'pal_a_key_for_tests';

/** External servers, which tests must not kill. */
export type OwnServers = { readonly eventStoreUrl?: string; readonly postgresUrl?: string };

/** Key of secrets, which are not needed after the deployment. */
const SECRETS_KEY = randomBytes(32).toString('base64');

/** Returns the settings shared by all programs of a deployment. */
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
  PALIMPSEST_SECRETS_KEY: SECRETS_KEY,
  ...settings,
});
