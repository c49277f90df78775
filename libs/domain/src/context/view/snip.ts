import type { Grouped } from '../../compaction/prepare/cuts.js';
import { type AtomicGroup, startsTurn, toolCallsOf } from '../../message/index.js';
import { collapsedTurns, type OpenSession } from '../../session/state.js';
import { inBatches } from './in-batches.js';

/**
 * The oldest steps before the protected turns, but for the newest `snipKeepSteps`: groups of calls and results in which
 * nobody but tools was spoken to. Which ones is a function of what was appended alone: a step that is left out of a
 * request is left out of all that follow.
 */
export const snippedSteps = (session: OpenSession, { groups, pairing }: Grouped): readonly AtomicGroup[] => {
  const { entries, profile, turn } = session;
  const waiting = new Set(pairing.calls.flatMap(({ call, result }) => (result ? [] : [call.message])));
  const steps = groups.filter(({ start, end }) => {
    const members = entries.slice(start, end);
    return (
      members.some(({ message }) => toolCallsOf(message).length > 0) &&
      members.every(({ message }, at) => isTools(message) && !waiting.has(start + at))
    );
  });
  const left = steps.slice(0, inBatches(steps.length - profile.snipKeepSteps, profile.snipKeepSteps));
  const collapsed = collapsedTurns(session);
  return left.filter(({ start }) => {
    const at = entries[start]?.turn ?? turn;
    return at <= turn - profile.keepRecentTurns && !collapsed.has(at);
  });
};

const isTools = (message: OpenSession['entries'][number]['message']): boolean =>
  message.role === 'assistant' || (message.role === 'user' && !startsTurn(message));
