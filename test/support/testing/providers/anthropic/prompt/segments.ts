import type { JsonObject } from '@app/kernel';
import { digestOf } from '../../values/digest.js';
import type { TokenCount } from '../../values/token-count.js';
import { isBlank, listOf, objectOf, objectsIn, without } from '../../values/wire-values.js';

/** The smallest part of a prompt that the cache and thinking signatures distinguish. */
export type Segment = {
  readonly place: 'tools' | 'system' | 'messages';
  /** The path of the block in the request, such as `messages.3.content.0`. */
  readonly path: string;
  readonly role: string;
  readonly block: JsonObject;
  /** The block as the model sees it: without its cache mark. */
  readonly text: string;
  readonly tokens: number;
};

/** The token overhead of a message. */
const FRAMING_TOKENS = 4;

/**
 * Returns the prompt of a request, in the order tools, system, messages. A string is a text block, and consecutive
 * messages of one role are one message, as for the provider.
 */
export const segmentsOf = (body: JsonObject, count: TokenCount): readonly Segment[] => {
  const one = (place: Segment['place'], path: string, role: string, block: JsonObject): Segment => {
    const text = textOfBlock(block);
    return { place, path, role, block, text, tokens: count(text) };
  };
  const tools = objectsIn(body.tools)
    .filter(({ defer_loading }) => defer_loading !== true)
    .map((tool, at) => one('tools', `tools.${at}`, 'system', tool));
  const system = blocksOf(body.system).map((block, at) => one('system', `system.${at}`, 'system', block));
  const messages = objectsIn(body.messages).flatMap(({ role, content }, at) =>
    blocksOf(content).map((block, index) => {
      const segment = one('messages', `messages.${at}.content.${index}`, String(role), block);
      return index === 0 ? { ...segment, tokens: segment.tokens + FRAMING_TOKENS } : segment;
    }),
  );
  return [...tools, ...system, ...messages];
};

export const blocksOf = (content: JsonObject[string]): readonly JsonObject[] =>
  typeof content === 'string'
    ? isBlank(content)
      ? []
      : [{ type: 'text', text: content }]
    : listOf(content).map(objectOf);

/** Sorts the block's own members, and keeps nested ones as sent: the model reads a call's input as written. */
const textOfBlock = (block: JsonObject): string => {
  const members = Object.entries(without(block, 'cache_control')).filter(([, value]) => value != null);
  return JSON.stringify(members.sort(([a], [b]) => (a < b ? -1 : 1)));
};

export const tokensOf = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { tokens }) => sum + tokens, 0);

/** Returns the digest of every prefix, by its length in segments; the first one covers the salt only. */
export const prefixDigests = (segments: readonly Segment[], salt: string): readonly string[] => {
  const digests = [digestOf(salt)];
  for (const { place, role, text } of segments)
    digests.push(digestOf(digests.at(-1) ?? '', place, role, text));
  return digests;
};

export const isThinking = ({ block: { type } }: Segment): boolean =>
  type === 'thinking' || type === 'redacted_thinking';
