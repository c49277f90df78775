import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '@app/kernel';

export type Ending = 'answered' | 'left' | 'cut';

/** A received request, and its outcome. */
export type RecordedRequest = {
  /** Its index among all requests of this server, from 0. */
  readonly at: number;
  /** When its body had arrived, and when its answer had left, on the clock of `performance`. */
  readonly arrivedAt: number;
  readonly answeredAt?: number;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as text, and as JSON; an empty object if it is not JSON. */
  readonly text: string;
  readonly body: JsonObject;
  /** `left` if the client closed the connection before the end of the answer, `cut` if the script did. */
  readonly ended: Promise<Ending>;
  /** After the answer: its status and reported usage. */
  readonly status?: number;
  readonly usage?: JsonObject;
};

/** Members of usage that are tokens of the input, with those of the prompt cache; in other formats these are part of the first. */
const INPUT_TOKENS = [
  ...['prompt_tokens', 'promptTokenCount'],
  ...['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'],
];

/** Returns the billed input tokens of an answered request, of any format. */
export const inputTokensOf = ({ usage = {} }: RecordedRequest): number =>
  INPUT_TOKENS.reduce((sum, member) => sum + Number(usage[member] ?? 0), 0);

/** Returns the key of a request in either header; `undefined` without one. */
export const credentialOf = ({
  headers,
}: RecordedRequest): { readonly kind: 'bearer' | 'x-api-key'; readonly key: string } | undefined => {
  const [, bearer] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
  if (bearer !== undefined) return { kind: 'bearer', key: bearer };
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? { kind: 'x-api-key', key } : undefined;
};
