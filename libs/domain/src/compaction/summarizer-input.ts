import { type MessageId, Tokens } from '@app/kernel';
import { hasReasoning, isReasoning, isToolResult, type Message, toolResultsOf } from '../message/index.js';
import type { Profile } from '../profiles/profile.js';
import type { Entry } from '../session/entry.js';
import type { DroppedOutput } from '../session/facts.js';
import { callKey, type DroppedReasoning } from '../session/marks.js';
import type { OpenSession } from '../session/state.js';
import { pairingIn } from '../turns/cuts.js';
import { visibleResults } from '../turns/visible-results.js';
import { DROPPED_OUTPUT_TEXT } from '../view/recall/recall-tool.js';
import type { Removed } from './plan.js';

/** The part of a plan that defines the summarizer's input. */
type SummarizerInput = {
  readonly covered: readonly Entry[];
  readonly removed: Removed;
  readonly profile: Pick<Profile, 'toolOutputs'>;
};

/**
 * Returns the content that is withheld from summarizers when a compaction under `profile` covers the entries before
 * `at`.
 */
export const removedFrom = (
  session: OpenSession,
  { reasoning }: Pick<Profile, 'reasoning'>,
  covered: readonly Entry[],
): Removed => {
  const reasoningIn = new Set(session.marks.droppedReasoning.map(({ messageId }) => messageId));
  for (const { message } of session.entries)
    if (message.reasoning === 'disposable') reasoningIn.add(message.id);
  if (reasoning !== 'summarize') for (const { message } of covered) reasoningIn.add(message.id);
  return { reasoningIn, resultsIn: droppedResults(session) };
};

const droppedResults = (session: OpenSession): Removed['resultsIn'] => {
  const places = new Map<MessageId, Set<number>>();
  if (session.droppedOutputs.length === 0) return places;
  const dropped = new Set(session.droppedOutputs.map(callKey));
  for (const { id: callId, call, result } of pairingIn(session).calls) {
    const caller = session.entries[call.message];
    const answer = result && session.entries[result.message];
    if (!caller || !answer || !dropped.has(callKey({ messageId: caller.message.id, callId }))) continue;
    const { id } = answer.message;
    places.set(id, (places.get(id) ?? new Set()).add(result.block));
  }
  return places;
};

/** Returns the message for a summarizer, without removed content. */
export const summarizerMessage = (message: Message, { reasoningIn, resultsIn }: Removed): Message => {
  const gone = resultsIn.get(message.id);
  const isMute = reasoningIn.has(message.id) && message.blocks.some(isReasoning);
  if (!gone && !isMute) return message;
  let place = -1;
  return {
    ...message,
    blocks: message.blocks
      .filter((block) => !(isMute && isReasoning(block)))
      .map((block) => {
        if (!isToolResult(block)) return block;
        place += 1;
        return gone?.has(place) ? { ...block, content: DROPPED_OUTPUT_TEXT } : block;
      }),
  };
};

/**
 * Returns the session for a summarizer that receives the session's own request, without content removed by a policy,
 * a mark or a caller. It is marked as altered, so that reasoning bound to removed content is left out too.
 */
export const summarizerSession = (
  session: OpenSession,
  { covered, removed, profile }: SummarizerInput,
): OpenSession => {
  const { marks, droppedOutputs, entries } = session;
  const marked = new Set(marks.droppedReasoning.map(({ messageId }) => messageId));
  const reasoning = entries.flatMap(({ message }): DroppedReasoning[] =>
    removed.reasoningIn.has(message.id) && !marked.has(message.id) && hasReasoning(message)
      ? [{ messageId: message.id, freed: Tokens(0) }]
      : [],
  );
  const outputs = profile.toolOutputs === 'dropped' ? outputsOf(session, covered) : [];
  if (reasoning.length + outputs.length === 0) return session;
  return {
    ...session,
    marks: { ...marks, droppedReasoning: [...marks.droppedReasoning, ...reasoning] },
    droppedOutputs: [...droppedOutputs, ...outputs],
  };
};

/** The results of covered messages; as in a transcript, the text of a failure stays. */
const outputsOf = (session: OpenSession, covered: readonly Entry[]): readonly DroppedOutput[] => {
  const isCovered = new Set(covered);
  return visibleResults(session, pairingIn(session)).flatMap(
    ({ reference, answer, place, isDropped }): DroppedOutput[] => {
      const result = toolResultsOf(answer.message)[place];
      if (isDropped || !isCovered.has(answer) || result?.is_error === true) return [];
      return [{ ...reference, freed: Tokens(0) }];
    },
  );
};
