import type { IsoTime } from '@app/kernel';
import { toolCallsOf } from '../message/index.js';
import type { CountTrigger } from '../session/facts.js';
import type { OpenSession } from '../session/state.js';

const MINUTE_MS = 60_000;

/**
 * The trigger beside tokens that a session has reached since its last compaction, reset or fork, or since its beginning:
 * the first of messages, turns, tool calls and minutes. Without `now` no minutes have passed.
 */
export const reachedCount = (session: OpenSession, now: IsoTime | undefined): CountTrigger | undefined => {
  const { profile } = session;
  const counts: readonly (readonly [CountTrigger['by'], at: number, reached: () => number])[] = [
    ['messages', profile.triggerMessages, () => entriesSince(session).length],
    ['turns', profile.triggerTurns, () => session.turn - (session.pivot?.turn ?? 0)],
    ['tool-calls', profile.triggerToolCalls, () => callsSince(session)],
    ['minutes', profile.triggerMinutes, () => minutesSince(session, now)],
  ];
  for (const [by, at, count] of counts) {
    if (at === 0) continue;
    const reached = count();
    if (reached >= at) return { by, reached, at };
  }
  return undefined;
};

/** Returns the entries after the pivot, which no later cut precedes. */
const entriesSince = ({ entries, pivot }: OpenSession): OpenSession['entries'] => {
  if (!pivot) return entries;
  const before = entries.findLastIndex(({ revision }) => revision < pivot.revision);
  return entries.slice(before + 1);
};

const callsSince = (session: OpenSession): number =>
  entriesSince(session).reduce((sum, { message }) => sum + toolCallsOf(message).length, 0);

const minutesSince = ({ pivot, opened }: OpenSession, now: IsoTime | undefined): number => {
  const since = pivot?.at ?? opened.openedAt;
  if (since === undefined || now === undefined) return 0;
  return Math.floor((Date.parse(now) - Date.parse(since)) / MINUTE_MS);
};
