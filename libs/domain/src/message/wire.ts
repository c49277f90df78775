import type { JsonObject } from '@app/kernel';
import type { Block, ToolResultBlock } from './index.js';

/** Provider format of a request. */
export const WIRE_FORMATS = ['anthropic', 'openai-chat', 'openai-responses'] as const;
export type WireFormat = (typeof WIRE_FORMATS)[number];

export type WireAssistant = { readonly role: 'assistant'; readonly blocks: readonly Block[] };
/** Results first, directly after the assistant message with their calls; then user text. */
export type WireUser = {
  readonly role: 'user';
  readonly results: readonly ToolResultBlock[];
  readonly blocks: readonly Block[];
};
/** A system message in the middle of a conversation, for providers that take one. */
type WireSystem = { readonly role: 'system'; readonly text: string };
export type WireMessage = WireAssistant | WireUser | WireSystem;

export type ReasoningOmission =
  | 'unsigned'
  | 'foreign-provider'
  | 'bound-to-changed-prefix'
  | 'nothing-follows';
/** Changes by composing: a function of the session, of which only counts are recorded. */
export type WireNote =
  | { readonly action: 'answered-open-call'; readonly callId: string }
  | { readonly action: 'quoted-stray-block'; readonly messageId: string; readonly type: string }
  | { readonly action: 'renamed-call'; readonly callId: string; readonly to: string }
  | { readonly action: 'omitted-reasoning'; readonly messageId: string; readonly reason: ReasoningOmission };

/** A request before it takes a provider's form. */
export type WireRequest = {
  /** The messages in order. Lists before the last one are the same objects in later requests of the session. */
  readonly parts: readonly (readonly WireMessage[])[];
  readonly tools: readonly JsonObject[];
  readonly notes: readonly WireNote[];
};

/** Number of changes of one kind by composing; for omitted reasoning also the cause. */
export type NoteCount = {
  readonly action: WireNote['action'];
  readonly reason?: ReasoningOmission;
  readonly count: number;
};

/** Returns the number of notes by kind, in order of first occurrence, without ids and content. */
export const countNotes = (notes: readonly WireNote[]): readonly NoteCount[] => {
  const counts = new Map<string, NoteCount>();
  for (const note of notes) {
    const reason = note.action === 'omitted-reasoning' ? { reason: note.reason } : {};
    const key = `${note.action} ${reason.reason ?? ''}`;
    counts.set(key, { action: note.action, ...reason, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
};
