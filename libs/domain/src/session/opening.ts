import type { Revision } from '@app/kernel';
import type { Entry } from './entry.js';
import type { CallReference, CompactionCompleted, DroppedOutput, OpeningState } from './events.js';
import { isSameCall, type OpenSession } from './state.js';

/**
 * What the event of a compaction carries so that nothing before its cut must ever be read again: together with
 * the messages from the cut on it is the whole state.
 */
export const openingState = (
  session: OpenSession,
  retained: readonly Entry[],
  carried: Entry | undefined,
  droppedOutputs: readonly DroppedOutput[],
): OpeningState => {
  const first = retained[0];
  const kept = new Set([...(carried ? [carried] : []), ...retained].map((entry) => entry.message.id));
  const isKept = (call: CallReference): boolean => kept.has(call.messageId);
  return {
    opened: session.opened,
    model: session.model,
    limits: session.limits,
    profile: session.profile,
    leadingSystem: session.leadingSystem,
    ...(carried && { carried }),
    messagesBefore: first?.position ?? session.messages,
    turnAtCut: first?.turn ?? session.turn,
    abandonedCalls: session.abandonedCalls.filter(isKept),
    droppedOutputs: [...session.droppedOutputs, ...droppedOutputs].filter(isKept),
    turnCompleted: session.turnCompleted,
    compactions: session.compactions + 1,
  };
};

/** The state right after a compaction, from its event and the messages from its cut on. */
export const reopen = (
  data: CompactionCompleted['data'],
  revision: Revision,
  retained: readonly Entry[],
): OpenSession => {
  const { opening } = data;
  const entries = opening.carried ? [opening.carried, ...retained] : retained;
  const last = entries.at(-1);
  const freed = opening.droppedOutputs.reduce((sum, output) => sum + output.freed, 0);
  return {
    status: 'open',
    opened: opening.opened,
    model: opening.model,
    limits: opening.limits,
    profile: opening.profile,
    leadingSystem: opening.leadingSystem,
    entries,
    entriesTokens: entries.reduce((sum, entry) => sum + entry.tokens, -freed),
    pivot: {
      compactionId: data.compactionId,
      revision,
      summary: data.summary,
      summaryTokens: data.summaryTokens,
      cut: data.cut,
      retention: data.retention,
      fileOperations: data.fileOperations,
    },
    turn: last?.turn ?? opening.turnAtCut,
    messages: last ? last.position + 1 : opening.messagesBefore,
    turnCompleted: opening.turnCompleted,
    compactions: opening.compactions,
    usage: undefined,
    // What is still crossed after a compaction is no news; `evolve` clears what occupancy has fallen below.
    crossed: { warning: true, required: true, threshold: true },
    compaction: undefined,
    ended: { compactionId: data.compactionId, attempt: data.attempt },
    lateResults: [],
    skipped: undefined,
    restingInTurn: undefined,
    abandonedCalls: opening.abandonedCalls,
    droppedOutputs: opening.droppedOutputs,
  };
};

export const isDropped = (session: OpenSession, call: CallReference): boolean =>
  session.droppedOutputs.some((one) => isSameCall(one, call));
