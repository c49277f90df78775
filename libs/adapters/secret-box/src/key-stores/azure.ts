import { z } from 'zod';
import { type NamedStore, type Unwrap, unreachable } from './key-store.js';
import { post } from './post.js';
import { vendorModule } from './vendor-module.js';

/** Prefix of a key wrapped by Azure Key Vault with RSA-OAEP-256, as base64. */
export const AZURE_PREFIX = 'azure-key-vault:';
const NAME = 'Azure Key Vault';
const STORE: NamedStore = { name: NAME, settings: 'PALIMPSEST_KMS_KEY and the credentials' };
const SCOPE = 'https://vault.azure.net/.default';
const VERSION = '7.4';
const REASONS = { 401: ' (the credentials are refused)', 403: ' (the credentials may not unwrap keys)' };
const answer = z.object({ value: z.base64url() });

/** The used part of `@azure/identity`. */
type Identity = {
  DefaultAzureCredential: new () => { getToken(scope: string): Promise<{ readonly token: string }> };
};

/** Unwraps with a key by its identifier (`https://VAULT.vault.azure.net/keys/NAME/VERSION`), as the default credential. */
export const unwrapWithAzure =
  (key: string): Unwrap =>
  async (wrapped) => {
    // The package has this export in every version that the peer range names.
    const { DefaultAzureCredential } = (await vendorModule('@azure/identity', NAME)) as Identity;
    const { token } = await new DefaultAzureCredential().getToken(SCOPE).catch((cause: unknown) => {
      throw unreachable(STORE, 'is asked without credentials', cause);
    });
    // The tools of Azure write either alphabet; the API takes one.
    const sealed = Buffer.from(wrapped.slice(AZURE_PREFIX.length), 'base64').toString('base64url');
    const { value } = await post(
      STORE,
      {
        url: new URL(`${key}/unwrapkey?api-version=${VERSION}`),
        headers: { authorization: `Bearer ${token}` },
        body: { alg: 'RSA-OAEP-256', value: sealed },
        ...{ key, reasons: REASONS },
      },
      answer,
    );
    return Buffer.from(value, 'base64url').toString('base64');
  };
