import { type Block, compose, manifestOf, type OpenSession, type WireFormat } from '@app/domain';
import { isJsonObject, type JsonObject } from '@app/kernel';

/** A message of a request in plain JSON. */
export type Sent = { readonly role: string; readonly blocks: readonly JsonObject[] };

/** Returns the body for a provider after a round trip through JSON. */
export const bodyOf = (session: OpenSession, format: WireFormat): JsonObject => {
  const body: unknown = JSON.parse(JSON.stringify(compose(manifestOf(session), format).request));
  if (!isJsonObject(body)) throw new Error('a request is an object');
  return body;
};

/** Returns the messages of an Anthropic body. */
export const sentIn = (body: JsonObject): Sent[] =>
  (Array.isArray(body.messages) ? body.messages.filter(isJsonObject) : []).map(({ role, content }) => ({
    role: String(role),
    blocks: Array.isArray(content) ? content.filter(isJsonObject) : [],
  }));

/** Whether `part` is a subsequence of `whole`. */
export const isSubsequence = (part: readonly string[], whole: readonly string[]): boolean => {
  let from = 0;
  return part.every((item) => {
    const at = whole.indexOf(item, from);
    from = at + 1;
    return at >= 0;
  });
};

/** Returns the ids of the messages whose text is in `text`: generated messages begin with their id. */
export const traced = (text: string): Set<string> =>
  new Set([...text.matchAll(/\b(m\d+)(?:: |\.\d )/g)].map(([, id]) => id ?? ''));

export const isThought = ({ type }: JsonObject | Block): boolean =>
  type === 'thinking' || type === 'redacted_thinking';
