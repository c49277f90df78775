import { holdsServiceKey } from '@app/kernel';
import type { UpstreamRequest } from '@app/ports';

/** Returns the headers for the provider: the client's, with the tenant's key if the client sent none. */
export const headersFor = (
  { headers, provider, body }: UpstreamRequest,
  key: string | undefined,
): Record<string, string> => {
  const all: Record<string, string> = {
    ...withoutServiceKeys(headers),
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
    // The answer is read on its way through: compressed, it could not be.
    'accept-encoding': 'identity',
  };
  if (key === undefined) return all;
  delete all.authorization;
  delete all['x-api-key'];
  // Servers that are compatible with Anthropic's know the older header only.
  if (provider === 'anthropic') all['x-api-key'] = key;
  else all.authorization = `Bearer ${key}`;
  return all;
};

/** Removes keys of this service from any header. */
const withoutServiceKeys = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => !holdsServiceKey(value)));
