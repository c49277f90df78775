import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '@app/kernel';

export type Ending = 'answered' | 'left' | 'cut';

/** A request as it came in, and what became of it. */
export type RecordedRequest = {
  /** Its place among all requests of this server, from 0. */
  readonly at: number;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes of the body as text, and as JSON; an empty object where they are none. */
  readonly text: string;
  readonly body: JsonObject;
  /** `left` where the client closed the connection before it had the whole answer, `cut` where the script did. */
  readonly ended: Promise<Ending>;
  /** Once it is answered: the status, and what the answer reports as usage. */
  readonly status?: number;
  readonly usage?: JsonObject;
};

/** The key that a request shows, in either of the two ways; `undefined` where it shows none. */
export const credentialOf = ({
  headers,
}: RecordedRequest): { readonly kind: 'bearer' | 'x-api-key'; readonly key: string } | undefined => {
  const [, bearer] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
  if (bearer !== undefined) return { kind: 'bearer', key: bearer };
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? { kind: 'x-api-key', key } : undefined;
};
