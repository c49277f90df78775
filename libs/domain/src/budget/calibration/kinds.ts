import type { JsonObject } from '@app/kernel';
import type { Block, Message } from '../../message/index.js';

/**
 * Kinds of content whose tokens relate differently to counted ones, by their looks. `other` is what has no text of its own:
 * images, framing, pinned content, contributions.
 */
export const KINDS = ['prose', 'code', 'data', 'wide', 'other'] as const;
export type Kind = (typeof KINDS)[number];
/** Counted tokens by kind. */
export type KindSizes = { readonly [kind in Kind]: number };

export const NO_SIZES: KindSizes = { prose: 0, code: 0, data: 0, wide: 0, other: 0 };

/** Characters of a text that its kind is told by: from its beginning. */
const LOOKED_AT = 2_000;
/** Above this share of characters outside of ASCII a text is `wide`; above this share of marks it is `code`. */
const WIDE_SHARE = 0.2;
const MARKS_SHARE = 0.08;
const QUOTES_SHARE = 0.02;

/** Returns the kind of a text by the first 2,000 characters of it. */
export const kindOf = (text: string): Kind => {
  const seen = text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text;
  const counts = { wide: 0, marks: 0, quotes: 0 };
  for (let at = 0; at < seen.length; at += 1) {
    const code = seen.charCodeAt(at);
    if (code > 126) counts.wide += 1;
    else if (code === QUOTE) counts.quotes += 1;
    else if (isMark(code)) counts.marks += 1;
  }
  if (counts.wide > seen.length * WIDE_SHARE) return 'wide';
  const isJson = /^\s*[[{]/.test(seen) && counts.quotes > seen.length * QUOTES_SHARE;
  if (isJson) return 'data';
  return counts.marks + counts.quotes > seen.length * MARKS_SHARE ? 'code' : 'prose';
};
const QUOTE = 34;

/** Whether a character of ASCII is a mark of code: neither a letter, a digit, a blank, nor what ends a sentence or a clause. */
const isMark = (code: number): boolean =>
  (code > 32 && code < 48 && code !== 33 && code !== 39 && code !== 44 && code !== 46) ||
  (code > 57 && code < 65 && code !== 63) ||
  (code > 90 && code < 97) ||
  code > 122;

/** What a message takes, by kind; the kinds add up to `tokens`. Reckoned once for a message. */
export const messageSizes = (message: Message, tokens: number, blockTokens: readonly number[]): KindSizes => {
  const known = KNOWN.get(message);
  if (known) return known;
  const sizes = { ...NO_SIZES };
  let rest = tokens;
  for (const [at, block] of message.blocks.entries()) {
    const counted = blockTokens[at] ?? 0;
    sizes[kindOfBlock(block)] += counted;
    rest -= counted;
  }
  sizes.other += Math.max(0, rest);
  KNOWN.set(message, sizes);
  return sizes;
};
const KNOWN = new WeakMap<Message, KindSizes>();

const kindOfBlock = (block: Block): Kind => {
  switch (block.type) {
    case 'text':
      return kindOf(block.text);
    case 'thinking':
      return kindOf(block.thinking);
    case 'tool_use':
      return 'data';
    case 'tool_result':
      return typeof block.content === 'string' ? kindOf(block.content) : kindOfParts(block.content ?? []);
    default:
      return 'other';
  }
};

const kindOfParts = (parts: readonly JsonObject[]): Kind => {
  const first = parts.find(({ text }) => typeof text === 'string');
  return typeof first?.text === 'string' ? kindOf(first.text) : 'other';
};

/** What a system prompt and tools take together, parted by their characters. Reckoned once for a session. */
export const fixedSizes = (fixed: {
  readonly systemPrompt: string;
  readonly tools: readonly JsonObject[];
  readonly fixedTokens: number;
}): KindSizes => {
  const known = FIXED.get(fixed);
  if (known) return known;
  const { systemPrompt, tools, fixedTokens } = fixed;
  const ofTools = tools.length === 0 ? 0 : JSON.stringify(tools).length;
  const share =
    systemPrompt.length + ofTools === 0 ? 1 : systemPrompt.length / (systemPrompt.length + ofTools);
  const ofPrompt = Math.round(fixedTokens * share);
  const sizes = { ...NO_SIZES };
  sizes[systemPrompt === '' ? 'other' : kindOf(systemPrompt)] += ofPrompt;
  sizes.data += fixedTokens - ofPrompt;
  FIXED.set(fixed, sizes);
  return sizes;
};
const FIXED = new WeakMap<object, KindSizes>();

/** So many tokens of one kind. */
export const sizesOfKind = (kind: Kind, tokens: number): KindSizes => ({ ...NO_SIZES, [kind]: tokens });

export const sumSizes = (all: readonly KindSizes[]): KindSizes => {
  const sum = { ...NO_SIZES };
  for (const sizes of all) for (const kind of KINDS) sum[kind] += sizes[kind];
  return sum;
};

/** All kinds together. */
export const totalOf = (sizes: KindSizes): number => KINDS.reduce((sum, kind) => sum + sizes[kind], 0);
