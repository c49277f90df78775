import type { ProviderError } from '@app/domain';
import type { ServerEvent } from '@app/formats';
import { isJsonObject, type JsonObject, parseJson } from '@app/kernel';

/** Bytes of an answer that is held to be read; what is larger is passed on unread. */
const HELD_MAX = 16 * 1_048_576;

/** An answer that is no stream: its beginning, and the rest where it is larger than what is held. */
export type Collected = {
  readonly bytes: Buffer;
  readonly rest: AsyncIterable<Uint8Array> | undefined;
};

export const collected = async (body: AsyncIterable<Uint8Array>): Promise<Collected> => {
  const iterator = body[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    pieces.push(next.value);
    bytes += next.value.length;
    if (bytes > HELD_MAX)
      return { bytes: Buffer.concat(pieces), rest: { [Symbol.asyncIterator]: () => iterator } };
  }
  return { bytes: Buffer.concat(pieces), rest: undefined };
};

/** The bytes of an answer as they came. */
export async function* bytesOf({ bytes, rest }: Collected): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
  if (rest) yield* rest;
}

/** Ends an answer of which no more is read. */
export const letGo = async ({ rest }: Collected): Promise<void> => {
  await rest?.[Symbol.asyncIterator]().return?.();
};

/** The text of an answer that is no stream, up to what is held. */
export const textOf = ({ bytes }: Collected): string => bytes.toString('utf8');

/** What a provider says of a request that it refused, whatever of that can be read. */
export const errorIn = (status: number, text: string): ProviderError => {
  const body = parseJson(text);
  const error = isJsonObject(body) ? body.error : undefined;
  return { ...(isJsonObject(error) ? providerErrorOf(error) : { message: text.slice(0, 2_000) }), status };
};

/** The failure that a stream begins with; `undefined` where it begins with anything else. */
export const failureIn = (events: readonly ServerEvent[]): ProviderError | undefined => {
  const data = events
    .map((event) => event.data)
    .find((one) => one?.type === 'error' || one?.type === 'response.failed');
  if (!data) return undefined;
  const response = isJsonObject(data.response) ? data.response : data;
  return providerErrorOf(isJsonObject(response.error) ? response.error : data);
};

const providerErrorOf = ({ message, code, type }: JsonObject): ProviderError => {
  const name = typeof code === 'string' ? code : type;
  return {
    message: typeof message === 'string' ? message : '',
    ...(typeof name === 'string' && { code: name }),
  };
};
