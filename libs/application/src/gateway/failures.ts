import type { ProviderError } from '@app/domain';
import type { ServerEvent } from '@app/formats';
import { isJsonObject, type JsonObject, parseJson } from '@app/kernel';

/** All of an answer that is no stream. */
export const wholeOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
};

/** What a provider says of a request that it refused, whatever of that can be read. */
export const errorIn = (status: number, text: string): ProviderError => {
  const body = parseJson(text);
  const error = isJsonObject(body) ? body.error : undefined;
  return { ...(isJsonObject(error) ? told(error) : { message: text.slice(0, 2_000) }), status };
};

/** The failure that a stream begins with; `undefined` where it begins with anything else. */
export const failureIn = (events: readonly ServerEvent[]): ProviderError | undefined => {
  const data = events
    .map((event) => event.data)
    .find((one) => one?.type === 'error' || one?.type === 'response.failed');
  if (!data) return undefined;
  const response = isJsonObject(data.response) ? data.response : data;
  return told(isJsonObject(response.error) ? response.error : data);
};

const told = ({ message, code, type }: JsonObject): ProviderError => {
  const name = typeof code === 'string' ? code : type;
  return {
    message: typeof message === 'string' ? message : '',
    ...(typeof name === 'string' && { code: name }),
  };
};
