import { AppError } from '@app/kernel';

/** Address of a remote service and its API key. */
export type RemoteSettings = { readonly url: string; readonly apiKey: string; readonly reason?: string };
type Given = { readonly url?: string; readonly apiKey?: string; readonly why?: string };

/**
 * Returns the configured remote service; `undefined` if none is configured. Empty settings count as absent.
 *
 * @throws {AppError} `invalid-configuration`; the message never contains a key.
 */
export const remoteSettings = (
  given: Given,
  env: Readonly<Record<string, string | undefined>>,
): RemoteSettings | undefined => {
  const url = given.url ?? (env.PALIMPSEST_URL || undefined);
  if (url === undefined) {
    if (given.apiKey === undefined) return undefined;
    throw wrong('--api-key is for a service: give --url too, or PALIMPSEST_URL');
  }
  if (!isHttp(url))
    throw wrong('--url is not the address of a service: give one such as http://127.0.0.1:8420');
  const apiKey = given.apiKey ?? (env.PALIMPSEST_API_KEY || undefined);
  if (apiKey === undefined)
    throw wrong(`no API key for the service at ${url}: set PALIMPSEST_API_KEY, or give --api-key`);
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw wrong('the API key has characters that no key has: correct PALIMPSEST_API_KEY or --api-key');
  return { url, apiKey, ...(given.why !== undefined && { reason: given.why }) };
};

const isHttp = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const wrong = (message: string): AppError => new AppError('invalid-configuration', message);
