import type { OpenSession } from '../session/state.js';
import { openCalls } from '../turns/cuts.js';

/** Whether this is a moment at which the profile looks at its trigger. */
export const isTriggerLookedAt = (session: OpenSession): boolean => {
  switch (session.profile.triggerCheck) {
    case 'request':
      return true;
    case 'step':
      return isBetweenSteps(session);
    case 'turn':
      return isBetweenTurns(session);
  }
};

/** Whether every call of the newest step has its result, or was given up. */
const isBetweenSteps = (session: OpenSession): boolean => {
  const newest = session.entries.findLastIndex(({ message }) => message.role === 'assistant');
  return openCalls(session).every(({ call }) => call.message !== newest);
};

/** Returns whether the turn has ended, or the assistant has not begun to answer. */
const isBetweenTurns = ({ entries, turn, turnCompleted }: OpenSession): boolean => {
  if (turnCompleted >= turn) return true;
  const newest = entries.findLast(({ message }) => message.role === 'assistant');
  return newest === undefined || newest.turn < turn;
};
