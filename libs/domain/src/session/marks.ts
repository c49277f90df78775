import type { MessageId, Tokens } from '@app/kernel';
import type { CallReference, DroppedOutput } from './facts.js';

/** A tool result that is stored aside: requests carry a preview of it. */
export type OffloadedResult = CallReference & {
  /** Of the whole result; and what the preview saves of that. */
  readonly tokens: Tokens;
  readonly freed: Tokens;
  readonly because: 'over-its-size' | 'over-the-size-of-its-message';
};

/** A message whose reasoning requests no longer carry. */
export type DroppedReasoning = { readonly messageId: MessageId; readonly freed: Tokens };

/** A turn that requests carry as a few lines; it begins with `messageId`. */
export type CollapsedSegment = {
  readonly turn: number;
  readonly messageId: MessageId;
  readonly to: MessageId;
  readonly messages: number;
  /** Before, as requests carried it; and what the lines save of that. */
  readonly tokens: Tokens;
  readonly freed: Tokens;
};

/** Durable changes to what requests carry of a message; the message itself stays as it was appended. */
export type Marks = {
  readonly offloaded: readonly OffloadedResult[];
  readonly droppedReasoning: readonly DroppedReasoning[];
  readonly collapsed: readonly CollapsedSegment[];
};
export const NO_MARKS: Marks = { offloaded: [], droppedReasoning: [], collapsed: [] };

/** What every mark says: which message carries less, and how much. */
export type Freeing = { readonly messageId: MessageId; readonly freed: Tokens };

export type Marked = { readonly droppedOutputs: readonly DroppedOutput[]; readonly marks: Marks };

export const freeingsOf = ({ droppedOutputs, marks }: Marked): readonly Freeing[] => [
  ...droppedOutputs,
  ...marks.offloaded,
  ...marks.droppedReasoning,
  ...marks.collapsed,
];

/** A call by one word, to look it up by. */
export const callKey = ({ messageId, callId }: CallReference): string => `${messageId} ${callId}`;
