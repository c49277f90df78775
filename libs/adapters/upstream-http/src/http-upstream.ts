import { AppError, holdsServiceKey } from '@app/kernel';
import type { ReadSecret, Upstream, UpstreamAnswer, UpstreamProvider, UpstreamRequest } from '@app/ports';
import { exchange } from './exchange.js';

/** A server that speaks a provider's API, and the name of the secret that holds a tenant's key for it. */
type UpstreamServer = { readonly url: string; readonly secret: string | undefined };
type UpstreamOptions = {
  readonly servers: Readonly<Record<UpstreamProvider, readonly UpstreamServer[]>>;
  readonly readSecret: ReadSecret;
};

/** Statuses after which another server is tried. */
const UNABLE: ReadonlySet<number> = new Set([500, 502, 503, 504, 529]);

/** Providers over HTTP, byte for byte: nothing is decoded on the way. */
export const httpUpstream = ({ servers, readSecret }: UpstreamOptions): Upstream => ({
  send: async (request) => {
    let unable: UpstreamAnswer | undefined;
    let failure: unknown;
    for (const [at, server] of servers[request.provider].entries()) {
      try {
        const answer = await ask(server, withKeyFor(request, server, at), readSecret);
        if (unable) await discard(unable);
        if (!UNABLE.has(answer.status)) return answer;
        unable = answer;
      } catch (error) {
        if (request.signal.aborted) throw error;
        failure = error;
      }
    }
    // A server's response is more informative than a failed connection to another.
    if (unable) return unable;
    throw (
      failure ??
      new AppError(
        'upstream-unreachable',
        `no server is configured for ${request.provider}: set PALIMPSEST_GATEWAY_${request.provider.toUpperCase()}`,
      )
    );
  },
});

/** A client's key is sent only to its intended server: a fallback server with a key of its own does not receive it. */
const withKeyFor = (request: UpstreamRequest, { secret }: UpstreamServer, at: number): UpstreamRequest =>
  at > 0 && secret !== undefined ? { ...request, bringsKey: false } : request;

const ask = async (
  server: UpstreamServer,
  request: UpstreamRequest,
  readSecret: ReadSecret,
): Promise<UpstreamAnswer> => {
  const key = request.bringsKey ? undefined : await keyFor(server, request, readSecret);
  const url = new URL(`${server.url.replace(/\/+$/, '')}${request.path}`);
  return exchange(url, headersFor(request, key), request);
};

const keyFor = async (
  { secret }: UpstreamServer,
  { tenant, provider }: UpstreamRequest,
  readSecret: ReadSecret,
): Promise<string> => {
  const key = secret === undefined ? undefined : await readSecret(tenant, secret);
  if (key !== undefined) return key;
  const how = `send the key of the provider, which agents take from ${provider.toUpperCase()}_API_KEY or a login, and the key of this service as x-palimpsest-key`;
  const message =
    secret === undefined
      ? `no key for ${provider} came with the request, and none is configured: ${how}`
      : `the tenant has no secret "${secret}" with the key for ${provider}: add it, or ${how}`;
  throw new AppError('upstream-key-missing', message);
};

/** Discards an unread response. */
const discard = async ({ body }: UpstreamAnswer): Promise<void> => {
  await body[Symbol.asyncIterator]().return?.();
};

/** Returns the headers for the provider: the client's, with the tenant's key if the client sent none. */
const headersFor = (
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
