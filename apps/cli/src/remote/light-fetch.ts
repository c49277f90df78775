import * as http from 'node:http';
import * as https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { ownMember } from '@app/kernel';

/**
 * A `fetch` for `PalimpsestClient` by `node:http`: the platform's takes 100 ms of a command's start, mostly to compile its
 * parser. Its answers have what the client reads; redirects are not followed. Bodies other than text are the platform's.
 */
export const lightFetch: typeof fetch = (url, request = {}) => {
  const { method = 'GET', headers = {}, body = null, signal } = request;
  const isLight =
    typeof url === 'string' && !(Symbol.iterator in headers) && (body === null || typeof body === 'string');
  if (!isLight) return fetch(url, request);
  const { request: open } = url.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const own = headers as http.OutgoingHttpHeaders; // A record of texts.
    open(url, { method, headers: own, ...(signal && { signal }) }, (answer) => resolve(responseOf(answer)))
      .on('error', reject)
      .end(body ?? undefined);
  });
};

const responseOf = (answer: http.IncomingMessage): Response => {
  const { statusCode: status = 0, headers } = answer;
  const response: Pick<Response, 'ok' | 'status' | 'text'> &
    Record<'headers' | 'body' | 'arrayBuffer', unknown> = {
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name: string) => ownMember(headers, name)?.toString() ?? null },
    body: answer,
    text: async () => new TextDecoder().decode(await buffer(answer)),
    arrayBuffer: () => buffer(answer),
  };
  return response as unknown as Response; // Its other members are not used.
};
