import { startsTurn } from '../message/index.js';
import { isBetweenSteps } from '../occupancy/occupancy.js';
import type { AutomaticTrigger, SessionEvent, Trigger } from '../session/events.js';
import type { CompactionInFlight, OpenSession } from '../session/state.js';
import type { CountedMessage } from './commands.js';

/**
 * Continues work that an automatic compaction interrupted, if the profile enables it. An unanswered user message
 * needs no continuation, because the next request answers it, and a call that waits for its result none, because the
 * result continues the turn. A client that has continued needs none either: it has appended messages, or waits for the
 * compaction.
 */
export const continueSession = (
  session: OpenSession,
  { compactionId, trigger, turn, profile, willContinue, messagesAtRequest }: CompactionInFlight,
  continuation: CountedMessage | undefined,
): readonly SessionEvent[] => {
  const isGoingOn = session.turn === turn && turn > session.turnCompleted;
  const hasGoneOn = willContinue || session.messages > messagesAtRequest;
  if (!continuation || !profile.autoContinue || hasGoneOn || !isAutomatic(trigger)) return [];
  if (!isGoingOn || !isAtWork(session) || !isBetweenSteps(session)) return [];
  const messageId = continuation.message.id;
  return [
    { type: 'ContinuationQueued', data: { compactionId, messageId, turn, reason: trigger } },
    { type: 'MessageAppended', data: continuation },
  ];
};

/** Returns whether the assistant has begun to answer the newest user or continuation message. */
const isAtWork = ({ entries }: OpenSession): boolean => {
  const asked = entries.findLastIndex(({ message }) => startsTurn(message) || message.synthetic);
  return entries.slice(asked + 1).some(({ message }) => message.role === 'assistant');
};

const isAutomatic = (trigger: Trigger): trigger is AutomaticTrigger =>
  trigger === 'threshold' || trigger === 'overflow' || trigger === 'model-switched';
