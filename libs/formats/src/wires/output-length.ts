import type { WireFormat } from '@app/domain';
import { isJsonObject, type JsonObject, ownMember } from '@app/kernel';
import type { Replacement } from './raw/splice.js';

/** The members by which a request names the longest answer that it wants; the first is the one of new clients. */
const OUTPUT_MEMBERS: Readonly<Record<WireFormat, readonly [string, ...string[]]>> = {
  anthropic: ['max_tokens'],
  'openai-chat': ['max_completion_tokens', 'max_tokens'],
  'openai-responses': ['max_output_tokens'],
};

/** Length of the answer that a client asks for. */
export type OutputWish = {
  /** Limits in tokens by member name; empty if the client sets none. */
  readonly lengths: ReadonlyMap<string, number>;
  /** Anthropic's member `thinking` with a token budget. */
  readonly thinking?: JsonObject & { readonly budget_tokens: number };
};

/** Maximum length of an answer, in tokens. */
export type OutputLimit = {
  /** For which there is room beside the request. */
  readonly room: number;
  /** The model's maximum, if known: a provider may use it by default. */
  readonly modelMax?: number | undefined;
};

export const outputWishIn = (wire: WireFormat, body: JsonObject): OutputWish => {
  const lengths = new Map<string, number>();
  for (const member of OUTPUT_MEMBERS[wire]) {
    const value = ownMember(body, member);
    if (typeof value === 'number' && value > 0) lengths.set(member, value);
  }
  const { thinking } = body;
  if (wire !== 'anthropic' || !isJsonObject(thinking)) return { lengths };
  const { budget_tokens: budget } = thinking;
  return typeof budget === 'number'
    ? { lengths, thinking: { ...thinking, budget_tokens: budget } }
    : { lengths };
};

/** Changes of a request that make room for its answer, and the resulting limit, if there is one. */
export type LimitedOutput = { readonly replacements: readonly Replacement[]; readonly maxOutput?: number };

/**
 * Reduces the client's output limit to the available room. A request without a limit is unchanged unless the model's
 * maximum would not fit. Thinking is part of the answer: its budget shrinks too.
 */
export const limitOutput = (
  wire: WireFormat,
  wish: OutputWish,
  limit: OutputLimit | undefined,
): LimitedOutput => {
  const wanted = [...wish.lengths.values()];
  if (!limit) return { replacements: [], ...(wanted.length > 0 && { maxOutput: Math.max(...wanted) }) };
  const { room, modelMax = 0 } = limit;
  if (wanted.length === 0) {
    // Anthropic takes no request without a length: that is for the provider to say.
    if (wire === 'anthropic' || modelMax <= room) return { replacements: [] };
    return { replacements: [{ member: OUTPUT_MEMBERS[wire][0], json: String(room) }], maxOutput: room };
  }
  const maxOutput = Math.min(room, Math.max(...wanted));
  const shorter = [...wish.lengths].filter(([, length]) => length > room);
  const replacements = shorter.map(([member]) => ({ member, json: String(room) }));
  return {
    replacements: shorter.length === 0 ? [] : [...replacements, ...thinkingWithin(room, wish)],
    maxOutput,
  };
};

/** The least that Anthropic takes as a budget for thinking, in tokens. */
const THINKING_LEAST = 1_024;

/**
 * Reduces a thinking budget above the output limit to half of the limit, or disables thinking if that is too little.
 */
const thinkingWithin = (room: number, { thinking }: OutputWish): readonly Replacement[] => {
  if (!thinking || thinking.budget_tokens < room) return [];
  const budget = Math.max(THINKING_LEAST, Math.floor(room / 2));
  const json = JSON.stringify(budget < room ? { ...thinking, budget_tokens: budget } : { type: 'disabled' });
  return [{ member: 'thinking', json }];
};
