import { z } from 'zod';
import type { NamedStore, Unwrap } from './key-store.js';
import { post } from './post.js';

/** A key of the transit engine of HashiCorp Vault or OpenBao. */
export type VaultKey = {
  readonly address: string;
  readonly mount: string;
  readonly key: string;
  readonly namespace?: string | undefined;
  /** Reads the token at each call, so that a renewed one is used. */
  readonly token: () => Promise<string>;
};

/** Form of a ciphertext of Vault's transit engine. */
export const VAULT_PREFIX = 'vault:v';
const STORE: NamedStore = { name: 'Vault', settings: 'PALIMPSEST_VAULT_ADDR and the token' };
const REASONS = {
  403: ' (the token is refused)',
  429: ' (rate limit, or a standby node)',
  503: ' (sealed, or in maintenance)',
};
const answer = z.object({ data: z.object({ plaintext: z.base64() }) });

/** Decrypts the `ciphertext` of `vault write -f transit/datakey/wrapped/KEY`, to base64. */
export const unwrapWithVault =
  ({ address, mount, key, namespace, token }: VaultKey): Unwrap =>
  async (wrapped) => {
    const path = [...mount.split('/'), 'decrypt', key].map(encodeURIComponent).join('/');
    const { data } = await post(
      STORE,
      {
        url: new URL(`/v1/${path}`, address),
        headers: {
          'x-vault-token': await token(),
          'x-vault-request': 'true',
          ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
        },
        body: { ciphertext: wrapped },
        ...{ key, reasons: REASONS },
      },
      answer,
    );
    return data.plaintext;
  };
