import type { JsonObject } from '@app/kernel';
import { digestOf } from '../../values/digest.js';
import type { TokenCount } from '../../values/token-count.js';
import { isBlank, listOf, objectOf, objectsIn, without } from '../../values/wire-values.js';

/** The smallest part of a prompt that the cache and the signatures of thinking tell apart. */
export type Segment = {
  readonly place: 'tools' | 'system' | 'messages';
  /** Where the block stands in the request, such as `messages.3.content.0`. */
  readonly path: string;
  readonly role: string;
  readonly block: JsonObject;
  /** What of the block reaches the model: without its cache mark. */
  readonly text: string;
  readonly tokens: number;
};

/** What a message costs beyond its words. */
const FRAMING_TOKENS = 4;

/**
 * The prompt that a request comes to, in the order tools, system, messages. A string is a text block, and
 * neighbours of one role are one message: what the provider does not tell apart is not told apart here.
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

/** Members in one order, but what is within them as it was sent: the model reads a call's input as it is written. */
const textOfBlock = (block: JsonObject): string => {
  const members = Object.entries(without(block, 'cache_control')).filter(([, value]) => value != null);
  return JSON.stringify(members.sort(([a], [b]) => (a < b ? -1 : 1)));
};

export const tokensOf = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { tokens }) => sum + tokens, 0);

/** The digest of every prefix, by its length in segments; the first is that of nothing but the salt. */
export const prefixDigests = (segments: readonly Segment[], salt: string): readonly string[] => {
  const digests = [digestOf(salt)];
  for (const { place, role, text } of segments)
    digests.push(digestOf(digests.at(-1) ?? '', place, role, text));
  return digests;
};

export const isThinking = ({ block: { type } }: Segment): boolean =>
  type === 'thinking' || type === 'redacted_thinking';
