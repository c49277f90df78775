import type { ProviderError } from '@app/domain';
import type { ServerEvent } from '@app/formats';
import { AppError, isJsonObject, type JsonObject, parseJson } from '@app/kernel';

/** Maximum bytes of an answer that is read; a larger one is forwarded unread. */
const HELD_MAX = 16 * 1_048_576;

/** A non-streamed answer: its first bytes, and the rest if it is larger than {@link HELD_MAX}. */
export type Collected = {
  readonly bytes: Buffer;
  readonly rest: AsyncIterable<Uint8Array> | undefined;
};

/** Reads the next piece of an answer. @throws {AppError} `upstream-unreachable` if its upstream breaks it off. */
export const nextPiece = async (iterator: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> => {
  try {
    return await iterator.next();
  } catch (cause) {
    throw new AppError('upstream-unreachable', 'the upstream broke its answer off', { cause });
  }
};

/** @throws {AppError} `upstream-unreachable`. */
export const collectBody = async (body: AsyncIterable<Uint8Array>): Promise<Collected> => {
  const iterator = body[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (let next = await nextPiece(iterator); !next.done; next = await nextPiece(iterator)) {
    pieces.push(next.value);
    bytes += next.value.length;
    if (bytes > HELD_MAX)
      return { bytes: Buffer.concat(pieces), rest: { [Symbol.asyncIterator]: () => iterator } };
  }
  return { bytes: Buffer.concat(pieces), rest: undefined };
};

/** Yields the original bytes of an answer. */
export async function* bytesOf({ bytes, rest }: Collected): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
  if (rest) yield* rest;
}

/** Cancels the unread rest of an answer. */
export const cancelBody = async ({ rest }: Collected): Promise<void> => {
  await rest?.[Symbol.asyncIterator]().return?.();
};

/** Returns the text of an answer, up to {@link HELD_MAX}. */
export const textOf = ({ bytes }: Collected): string => bytes.toString('utf8');

/** Returns the provider's error of a rejected request, as far as it can be parsed. */
export const errorIn = (status: number, text: string): ProviderError => {
  const body = parseJson(text);
  const error = isJsonObject(body) ? body.error : undefined;
  return { ...(isJsonObject(error) ? providerErrorOf(error) : { message: text.slice(0, 2_000) }), status };
};

/** Returns the error event at the start of a stream; `undefined` if it starts otherwise. */
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
