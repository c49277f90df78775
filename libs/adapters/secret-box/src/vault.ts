import { AppError } from '@app/kernel';
import { z } from 'zod';

/** A key of the transit engine of HashiCorp Vault or OpenBao. */
export type VaultKey = {
  readonly address: string;
  readonly mount: string;
  readonly key: string;
  readonly namespace?: string | undefined;
  /** Reads the token at each call, so that a renewed one is used. */
  readonly token: () => Promise<string>;
};

/** How Vault writes what a transit key has encrypted. */
export const VAULT_PREFIX = 'vault:v';
const ANSWER_MAX_MS = 10_000;
const answer = z.object({ data: z.object({ plaintext: z.base64() }) });

/**
 * Decrypts a key that Vault's transit engine has encrypted, such as the `ciphertext` of `vault write -f
 * transit/datakey/wrapped/KEY`.
 *
 * @returns the key as base64.
 * @throws {AppError} `key-store-unreachable` without an answer, or if Vault is sealed or refuses the token;
 *   `installation-key-wrong` if its transit key cannot decrypt it. Messages contain neither token nor key.
 */
export const unwrapWithVault = async (
  { address, mount, key, namespace, token }: VaultKey,
  wrapped: string,
): Promise<string> => {
  const path = [...mount.split('/'), 'decrypt', key].map(encodeURIComponent).join('/');
  const response = await fetch(new URL(`/v1/${path}`, address), {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MAX_MS),
    headers: {
      'content-type': 'application/json',
      'x-vault-token': await token(),
      'x-vault-request': 'true',
      ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
    },
    body: JSON.stringify({ ciphertext: wrapped }),
  }).catch((cause: unknown) => {
    throw unreachable('does not answer', cause);
  });
  if (response.status === 400 || response.status === 404)
    throw new AppError(
      'installation-key-wrong',
      `the transit key "${key}" of Vault cannot decrypt the key of the installation: give the key file that was encrypted with it`,
    );
  if (!response.ok) throw unreachable(`answers ${response.status}${REASONS[response.status] ?? ''}`);
  const body: unknown = await response.json().catch((cause: unknown) => {
    throw unreachable('gives an answer that is no JSON', cause);
  });
  const found = answer.safeParse(body).data;
  if (!found) throw unreachable('gives an answer without a plaintext');
  return found.data.plaintext;
};

const REASONS: Readonly<Record<number, string>> = {
  403: ' (the token is refused)',
  429: ' (rate limit, or a standby node)',
  503: ' (sealed, or in maintenance)',
};

const unreachable = (what: string, cause?: unknown): AppError =>
  new AppError(
    'key-store-unreachable',
    `Vault ${what}: check PALIMPSEST_VAULT_ADDR and the token, and start again`,
    { cause },
  );
