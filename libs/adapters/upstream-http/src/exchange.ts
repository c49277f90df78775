import { Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as SecureAgent } from 'node:https';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError } from '@app/kernel';
import type { UpstreamAnswer } from '@app/ports';

const AGENTS = { 'http:': new Agent({ keepAlive: true }), 'https:': new SecureAgent({ keepAlive: true }) };

/** A new connection for one request: pooled connections may have been closed. */
const NO_AGENTS = { 'http:': false, 'https:': false } as const;

type Sent = { readonly body?: string | Uint8Array; readonly signal: AbortSignal };

/** One request over HTTP, answered as soon as the head of the answer is there. @throws {AppError} `upstream-unreachable`. */
export const exchange = async (
  url: URL,
  headers: Readonly<Record<string, string>>,
  sent: Sent,
): Promise<UpstreamAnswer> => {
  try {
    return await attempt(url, headers, sent, AGENTS);
  } catch (error) {
    if (!(error instanceof ConnectionWasOld)) throw error;
    return attempt(url, headers, sent, NO_AGENTS);
  }
};

/** The server had closed the connection that was kept open, and has not seen the request. */
class ConnectionWasOld extends AppError {}

const attempt = (
  url: URL,
  headers: Readonly<Record<string, string>>,
  { body, signal }: Sent,
  agents: typeof AGENTS | typeof NO_AGENTS,
): Promise<UpstreamAnswer> =>
  new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const method = body === undefined ? 'GET' : 'POST';
    const options = { method, headers, signal, agent: isSecure ? agents['https:'] : agents['http:'] };
    const outgoing = (isSecure ? requestHttps : requestHttp)(url, options, (answer) => {
      const { body, isPlain } = decodedBody(answer);
      resolve({ status: answer.statusCode ?? 502, headers: passedOn(answer, isPlain), body });
    });
    // The message may quote the request: only the error class is reported.
    outgoing.on('error', (cause) => {
      const isOld = outgoing.reusedSocket && isReset(cause) && !signal.aborted;
      const Failure = isOld ? ConnectionWasOld : AppError;
      reject(new Failure('upstream-unreachable', `the upstream ${url.host} does not answer`, { cause }));
    });
    outgoing.end(body);
  });

const isReset = (error: Error): boolean =>
  'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/** Hop-by-hop headers, and headers of the framing. */
const OF_ONE_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
]);

const passedOn = (
  { headers }: IncomingMessage,
  isPlain: boolean,
): Record<string, string | readonly string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_ONE_HOP.has(name) || (isPlain && name === 'content-encoding')
        ? []
        : [[name, value]],
    ),
  );

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** A body, and whether its `content-encoding` is gone. */
type Decoded = { readonly body: Readable; readonly isPlain: boolean };

/**
 * Returns the body without the compression applied by its server, as a stream. A body in an unknown encoding is
 * unchanged. Damaged bytes end the stream with an error.
 */
const decodedBody = (answer: IncomingMessage): Decoded => {
  const named = (answer.headers['content-encoding'] ?? '').toLowerCase().split(',');
  const encodings = named.map((one) => one.trim()).filter((one) => one !== '' && one !== 'identity');
  const decoders = encodings.reverse().map((one) => DECODERS.get(one)?.());
  let body: Readable = answer;
  if (decoders.some((one) => one === undefined)) return { body, isPlain: false };
  for (const decoder of decoders) {
    if (!decoder) continue;
    // The target stream reports its error.
    pipeline(body, decoder, () => undefined);
    body = decoder;
  }
  return { body, isPlain: true };
};
