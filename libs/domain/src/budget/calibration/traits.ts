import type { Integer, JsonObject } from '@app/kernel';
import type { Block, Message } from '../../message/index.js';

/**
 * The traits of content that predict its tokens: the count of our tokenizer, the numbers of words, letters, digits,
 * marks and non-ASCII characters, and the number of blocks, each of which has a frame. Any provider's count is close
 * to a weighted sum of these.
 */
export const TRAITS = ['tokens', 'words', 'letters', 'digits', 'marks', 'wide', 'blocks'] as const;
type Trait = (typeof TRAITS)[number];
export type TextTraits = { readonly [trait in Trait]: number };
export type TraitWeights = { readonly [trait in Trait]: Integer };

export const NO_TRAITS: TextTraits = {
  tokens: 0,
  words: 0,
  letters: 0,
  digits: 0,
  marks: 0,
  wide: 0,
  blocks: 0,
};

/** A longer text is sampled in this number of pieces of this length, at even distances. */
const PIECES = 16;
const PIECE_CHARACTERS = 512;

/** Returns the traits of a text that was counted as `tokens`. */
export const textTraits = (text: string, tokens: number): TextTraits => {
  const traits = { ...NO_TRAITS };
  const isLong = text.length > PIECES * PIECE_CHARACTERS;
  if (isLong) {
    for (let piece = 0; piece < PIECES; piece += 1) {
      const from = Math.floor((piece * (text.length - PIECE_CHARACTERS)) / (PIECES - 1));
      look(text, from, from + PIECE_CHARACTERS, traits);
    }
    const times = text.length / (PIECES * PIECE_CHARACTERS);
    for (const trait of TRAITS) traits[trait] = Math.round(traits[trait] * times);
  } else look(text, 0, text.length, traits);
  return { ...traits, tokens, blocks: tokens > 0 ? 1 : 0 };
};

const look = (text: string, from: number, to: number, traits: { [trait in Trait]: number }): void => {
  let wasLetter = false;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    const lower = code | 32;
    const isLetter = lower >= 97 && lower <= 122 && code < 127;
    if (isLetter) {
      traits.letters += 1;
      if (!wasLetter) traits.words += 1;
    } else if (code > 126) traits.wide += 1;
    else if (code >= 48 && code <= 57) traits.digits += 1;
    else if (code > 32) traits.marks += 1;
    wasLetter = isLetter;
  }
};

/** The traits of a message that was counted as `tokens`. Reckoned once for a message. */
export const messageTraits = (
  message: Message,
  tokens: number,
  blockTokens: readonly number[],
): TextTraits => {
  const known = KNOWN.get(message);
  if (known) return known;
  const traits = { ...NO_TRAITS };
  let rest = tokens;
  for (const [at, block] of message.blocks.entries()) {
    const counted = blockTokens[at] ?? 0;
    addTo(traits, blockTraits(block, counted));
    rest -= counted;
  }
  traits.tokens += Math.max(0, rest);
  KNOWN.set(message, traits);
  return traits;
};
const KNOWN = new WeakMap<Message, TextTraits>();

const blockTraits = (block: Block, tokens: number): TextTraits => {
  switch (block.type) {
    case 'text':
      return textTraits(block.text, tokens);
    case 'thinking':
      return textTraits(block.thinking, tokens);
    case 'tool_use':
      return textTraits(JSON.stringify({ name: block.name, input: block.input }), tokens);
    case 'tool_result':
      return textTraits(textOfResult(block.content ?? ''), tokens);
    default:
      return tokensOnly(tokens);
  }
};

/** Returns the text of a result, without other parts. */
const textOfResult = (content: string | readonly JsonObject[]): string =>
  typeof content === 'string'
    ? content
    : content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');

/** The traits of a system prompt and tools together. Reckoned once for a session. */
export const fixedTraits = (fixed: {
  readonly systemPrompt: string;
  readonly tools: readonly JsonObject[];
  readonly fixedTokens: number;
}): TextTraits => {
  const known = FIXED.get(fixed);
  if (known) return known;
  const { systemPrompt, tools, fixedTokens } = fixed;
  const traits = textTraits(
    tools.length === 0 ? systemPrompt : systemPrompt + JSON.stringify(tools),
    fixedTokens,
  );
  FIXED.set(fixed, traits);
  return traits;
};
const FIXED = new WeakMap<object, TextTraits>();

/** Returns the traits of content with a known token count only. */
export const tokensOnly = (tokens: number): TextTraits => ({
  ...NO_TRAITS,
  tokens,
  blocks: tokens > 0 ? 1 : 0,
});

export const sumTraits = (all: readonly TextTraits[]): TextTraits => {
  const sum = { ...NO_TRAITS };
  for (const traits of all) addTo(sum, traits);
  return sum;
};

const addTo = (sum: { [trait in Trait]: number }, traits: TextTraits): void => {
  for (const trait of TRAITS) sum[trait] += traits[trait];
};
