import { z } from 'zod';
import { type NamedStore, type Unwrap, unreachable } from './key-store.js';
import { post } from './post.js';
import { vendorModule } from './vendor-module.js';

/** Prefix of a key encrypted by Google Cloud KMS, as base64. */
export const GOOGLE_PREFIX = 'google-kms:';
const NAME = 'Google Cloud KMS';
const STORE: NamedStore = {
  name: NAME,
  settings: 'PALIMPSEST_KMS_KEY, PALIMPSEST_KMS_URL and the application default credentials',
};
const URL_OF_ALL = 'https://cloudkms.googleapis.com';
const SCOPE = 'https://www.googleapis.com/auth/cloudkms';
const REASONS = { 401: ' (the credentials are refused)', 403: ' (the credentials may not decrypt)' };
const answer = z.object({ plaintext: z.base64() });

/** The used part of `google-auth-library`. */
type Auth = { GoogleAuth: new (options: { scopes: string }) => { getAccessToken(): Promise<unknown> } };

/** Decrypts with a key by its resource name (`projects/…/cryptoKeys/NAME`), as the application default credentials. */
export const unwrapWithGoogle =
  (key: string, url = URL_OF_ALL): Unwrap =>
  async (wrapped) => {
    // The package has this export in every version that the peer range names.
    const { GoogleAuth } = (await vendorModule('google-auth-library', NAME)) as Auth;
    const token = await new GoogleAuth({ scopes: SCOPE }).getAccessToken().catch((cause: unknown) => {
      throw unreachable(STORE, 'is asked without credentials', cause);
    });
    const { plaintext } = await post(
      STORE,
      {
        url: new URL(`/v1/${key}:decrypt`, url),
        headers: { authorization: `Bearer ${token}` },
        body: { ciphertext: wrapped.slice(GOOGLE_PREFIX.length) },
        ...{ key, reasons: REASONS },
      },
      answer,
    );
    return plaintext;
  };
