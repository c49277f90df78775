import { AppError } from '@app/kernel';
import { AWS_PREFIX, unwrapWithAws } from './aws.js';
import { AZURE_PREFIX, unwrapWithAzure } from './azure.js';
import { GOOGLE_PREFIX, unwrapWithGoogle } from './google.js';
import type { Unwrap } from './key-store.js';
import { unwrapWithVault, VAULT_PREFIX, type VaultKey } from './vault.js';

export type KeyStoreSettings = {
  readonly vault?: VaultKey;
  /** The key of a cloud's store, as that store names it. */
  readonly key?: string;
  /** Address of the store, other than the vendor's. */
  readonly url?: string;
};

/** Prefixes of encrypted keys by store. */
const STORES = new Map<string, (settings: KeyStoreSettings) => Unwrap>([
  [
    VAULT_PREFIX,
    ({ vault }) =>
      unwrapWithVault(given(vault, 'Vault', 'PALIMPSEST_VAULT_ADDR and PALIMPSEST_VAULT_TOKEN_FILE')),
  ],
  [AWS_PREFIX, ({ key, url }) => unwrapWithAws(given(key, 'AWS KMS'), url)],
  [GOOGLE_PREFIX, ({ key, url }) => unwrapWithGoogle(given(key, 'Google Cloud KMS'), url)],
  [AZURE_PREFIX, ({ key }) => unwrapWithAzure(given(key, 'Azure Key Vault'))],
]);

/** Returns the function that decrypts a key, by its prefix; `undefined` for a key in clear. */
export const unwrapperOf = (wrapped: string, settings: KeyStoreSettings): Unwrap | undefined => {
  for (const [prefix, storeOf] of STORES) if (wrapped.startsWith(prefix)) return storeOf(settings);
  return undefined;
};

const given = <Value>(value: Value | undefined, store: string, settings = 'PALIMPSEST_KMS_KEY'): Value => {
  if (value !== undefined) return value;
  throw new AppError(
    'invalid-configuration',
    `the configuration is wrong: a key is encrypted by ${store}: give ${settings}`,
  );
};
