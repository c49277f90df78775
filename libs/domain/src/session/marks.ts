import type { MessageId, Tokens } from '@app/kernel';
import type { Entry } from './entry.js';
import type { CallReference, DroppedOutput } from './facts.js';

/** A tool result that is stored aside: requests carry a preview of it. */
export type OffloadedResult = CallReference & {
  /** Tokens of the whole result, and tokens that the preview saves. */
  readonly tokens: Tokens;
  readonly freed: Tokens;
  readonly reason: 'result-too-large' | 'message-results-too-large';
};

/** A message whose reasoning requests no longer carry. */
export type DroppedReasoning = { readonly messageId: MessageId; readonly freed: Tokens };

/** A turn that requests carry as a few lines; it begins with `messageId`. */
export type CollapsedSegment = {
  readonly turn: number;
  readonly messageId: MessageId;
  readonly to: MessageId;
  readonly messages: number;
  /** Tokens before, as sent in requests, and tokens that the lines save. */
  readonly tokens: Tokens;
  readonly freed: Tokens;
};

/** Permanent changes of messages in requests; the stored messages are unchanged. */
export type Marks = {
  readonly offloaded: readonly OffloadedResult[];
  readonly droppedReasoning: readonly DroppedReasoning[];
  readonly collapsed: readonly CollapsedSegment[];
};
export const NO_MARKS: Marks = { offloaded: [], droppedReasoning: [], collapsed: [] };

/** Common fields of marks: the shortened message, and the saved tokens. */
export type Freeing = { readonly messageId: MessageId; readonly freed: Tokens };

export type Marked = { readonly droppedOutputs: readonly DroppedOutput[]; readonly marks: Marks };

export const freeingsOf = ({ droppedOutputs, marks }: Marked): readonly Freeing[] => [
  ...droppedOutputs,
  ...marks.offloaded,
  ...marks.droppedReasoning,
  ...marks.collapsed,
];

/** Returns the counted tokens that marks of a message as a whole remove from it, by message. */
export const freedByMessage = ({ droppedReasoning }: Marks): ReadonlyMap<string, number> =>
  new Map<string, number>(droppedReasoning.map(({ messageId, freed }) => [messageId, freed] as const));

/** Returns the counted tokens that marks remove from a message by itself; collapsed turns are not included. */
export const freedIn = (marked: Marked): ((entry: Entry) => number) => {
  const all = freeingsOf(marked);
  if (all.length === 0) return () => 0;
  const byCall = new Map<string, number>();
  for (const { callId, freed } of [...marked.droppedOutputs, ...marked.marks.offloaded]) {
    byCall.set(callId, (byCall.get(callId) ?? 0) + freed);
  }
  const byMessage = freedByMessage(marked.marks);
  return ({ message }) =>
    message.blocks.reduce(
      (sum, block) => sum + (block.type === 'tool_result' ? (byCall.get(block.tool_use_id) ?? 0) : 0),
      byMessage.get(message.id) ?? 0,
    );
};

/** A call by one word, to look it up by. */
export const callKey = ({ messageId, callId }: CallReference): string => `${messageId} ${callId}`;
