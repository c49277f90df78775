import { holdsServiceKey } from '@app/kernel';
import type { UpstreamRequest } from '@app/ports';

/** The headers that a provider is sent: the client's, with the tenant's key where the client brought none of its own. */
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

/** A key of this service is for no provider, whatever header it came in. */
const withoutServiceKeys = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => !holdsServiceKey(value)));
