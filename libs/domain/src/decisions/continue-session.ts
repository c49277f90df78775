import { startsTurn } from '../message/index.js';
import type { AutomaticTrigger, SessionEvent, Trigger } from '../session/events.js';
import type { CompactionInFlight, OpenSession } from '../session/state.js';
import type { CountedMessage } from './commands.js';

/**
 * Lets the work go on that an automatic compaction has interrupted, where its profile wants that. A turn whose
 * question is not answered yet needs no second one: the question is what the next request is for. A client that has gone
 * on needs none either: it has appended since, or waits for the compaction with its next request.
 */
export const continueSession = (
  session: OpenSession,
  { compactionId, trigger, turn, profile, willContinue, messagesAtRequest }: CompactionInFlight,
  continuation: CountedMessage | undefined,
): readonly SessionEvent[] => {
  const isGoingOn = session.turn === turn && turn > session.turnCompleted;
  const hasGoneOn = willContinue || session.messages > messagesAtRequest;
  if (!continuation || !profile.autoContinue || hasGoneOn || !isAutomatic(trigger)) return [];
  if (!isGoingOn || !isAtWork(session)) return [];
  const messageId = continuation.message.id;
  return [
    { type: 'ContinuationQueued', data: { compactionId, messageId, turn, reason: trigger } },
    { type: 'MessageAppended', data: continuation },
  ];
};

/** Whether the model has begun to answer what it was asked last, by the user or by this engine. */
const isAtWork = ({ entries }: OpenSession): boolean => {
  const asked = entries.findLastIndex(({ message }) => startsTurn(message) || message.synthetic);
  return entries.slice(asked + 1).some(({ message }) => message.role === 'assistant');
};

const isAutomatic = (trigger: Trigger): trigger is AutomaticTrigger =>
  trigger === 'threshold' || trigger === 'overflow' || trigger === 'model-switched';
