import type { JsonObject } from '@app/kernel';
import type { Disturbance } from './disturbance.js';
import type { Failure } from './failure.js';

/**
 * One piece of what a model says, in no provider's words. `block` goes out as it is, as a content block (Anthropic)
 * or an output item (OpenAI Responses); OpenAI's chat has no place for one and refuses the script.
 */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'redacted-thinking'; readonly text: string }
  | { readonly type: 'call'; readonly name: string; readonly input: JsonObject; readonly id?: string }
  | { readonly type: 'refusal'; readonly text: string }
  | { readonly type: 'block'; readonly block: JsonObject };

/** Why a model stopped before it had said everything. */
export type Stop = 'max-tokens' | 'refusal' | 'window-full' | 'pause';

/** What the model says. Calls among the parts make it a turn that waits for their results. */
export type Answer = {
  readonly kind: 'answer';
  readonly parts: readonly Part[];
  readonly stop?: Stop;
  /** Tokens that the answer is billed with; without it they are counted from the parts. */
  readonly outputTokens?: number;
  /** The summary where the provider compacts before this answer: `null` where that fails; without it one is made up. */
  readonly compaction?: string | null;
  readonly disturbance?: Disturbance;
};

/** What a server does with a request that its rules let pass. */
export type Reply = Answer | Failure;

export const answer = (...parts: readonly (string | Part)[]): Answer => ({
  kind: 'answer',
  parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
});
export const thinking = (text: string): Part => ({ type: 'thinking', text });
export const redactedThinking = (text: string): Part => ({ type: 'redacted-thinking', text });
export const refusal = (text: string): Part => ({ type: 'refusal', text });
export const verbatim = (block: JsonObject): Part => ({ type: 'block', block });
/** A call of a tool; without an id it gets the next one of the server. */
export const call = (name: string, input: JsonObject = {}, id?: string): Part => ({
  ...{ type: 'call', name, input },
  ...(id !== undefined && { id }),
});
