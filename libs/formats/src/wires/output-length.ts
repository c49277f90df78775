import type { WireFormat } from '@app/domain';
import { isJsonObject, type JsonObject, ownMember } from '@app/kernel';
import type { Replacement } from './raw/splice.js';

/** The members by which a request names the longest answer that it wants; the first is the one of new clients. */
const OUTPUT_MEMBERS: Readonly<Record<WireFormat, readonly [string, ...string[]]>> = {
  anthropic: ['max_tokens'],
  'openai-chat': ['max_completion_tokens', 'max_tokens'],
  'openai-responses': ['max_output_tokens'],
};

/** How long an answer a client wants. */
export type OutputWish = {
  /** Tokens, by the member that says so; empty where the client leaves it to the provider. */
  readonly lengths: ReadonlyMap<string, number>;
  /** Anthropic's member `thinking`, where it has a budget in tokens. */
  readonly thinking?: JsonObject & { readonly budget_tokens: number };
};

/** How long an answer may be, in tokens. */
export type OutputLimit = {
  /** For which there is room beside the request. */
  readonly room: number;
  /** The model's longest, where it is known: a provider may take it where a client says nothing. */
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

/** What of a request changes so that its answer has room, and the longest answer that it asks for then, where it says one. */
export type LimitedOutput = { readonly replacements: readonly Replacement[]; readonly maxOutput?: number };

/**
 * Reduces the length that a client wants to the room that there is. One that names none is left to the provider, unless
 * the model's longest answer would not fit. Thinking has to fit in the answer: its budget shrinks with it.
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

/** The least that Anthropic takes as a budget for thinking, in tokens (provider-facts 1.4). */
const THINKING_LEAST = 1_024;

/** A budget that is no longer below the length of the answer: half of that, or no thinking where that is too little. */
const thinkingWithin = (room: number, { thinking }: OutputWish): readonly Replacement[] => {
  if (!thinking || thinking.budget_tokens < room) return [];
  const budget = Math.max(THINKING_LEAST, Math.floor(room / 2));
  const json = JSON.stringify(budget < room ? { ...thinking, budget_tokens: budget } : { type: 'disabled' });
  return [{ member: 'thinking', json }];
};
