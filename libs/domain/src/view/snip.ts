import { type AtomicGroup, startsTurn, toolCallsOf, toolResultsOf } from '../message/index.js';
import type { Entry } from '../session/entry.js';
import { collapsedTurns, type OpenSession } from '../session/state.js';
import type { Grouped } from '../turns/cuts.js';
import { turnsOf } from '../turns/turns-of.js';
import { isToolAmong, type VisibleResult } from '../turns/visible-results.js';
import { placeholderTokens } from './recall/recall-tool.js';

/**
 * Returns the runs of messages that requests omit, oldest first: old steps, including the current turn, and old turns
 * without calls. Both depend on appended messages only: an omitted message stays omitted.
 */
export const snippedRuns = (session: OpenSession, layout: Grouped, reach: Reach): readonly AtomicGroup[] => {
  const collapsed = collapsedTurns(session);
  return [...snippedSteps(session, layout, reach), ...snippedTurns(session, layout, reach)]
    .filter(({ start }) => !collapsed.has(session.entries[start]?.turn ?? 0))
    .sort((a, b) => a.start - b.start);
};

/**
 * Returns the oldest groups that consist of calls and results, except the newest `snipKeepSteps`, those in the
 * protected tail, and those with a call of an exempt tool.
 */
const snippedSteps = (
  { entries, profile }: OpenSession,
  { groups }: Grouped,
  reach: Reach,
): readonly AtomicGroup[] => {
  const isExempt = isToolAmong(profile.exemptTools);
  const steps = groups.filter(({ start, end }) => {
    const members = entries.slice(start, end);
    const calls = members.flatMap(({ message }) => toolCallsOf(message));
    return calls.length > 0 && members.every(isTools) && !calls.some(({ name }) => isExempt(name));
  });
  return oldestOf(steps, profile.snipKeepSteps, placeOfNewestCalls(entries, profile.snipKeepSteps), reach);
};

/** Returns the index of the first of the newest `count` messages with calls; the end if there are fewer. */
const placeOfNewestCalls = (entries: readonly Entry[], count: number): number => {
  let left = count;
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    if (entry && toolCallsOf(entry.message).length > 0) left -= 1;
    if (left === 0) return at;
  }
  return 0;
};

/**
 * Returns the oldest turns without calls, each answered, except those among the newest `snipKeepTurns` of all turns,
 * those in the protected tail, and those within a group.
 */
const snippedTurns = (session: OpenSession, { groups }: Grouped, reach: Reach): readonly AtomicGroup[] => {
  const { entries, profile, turn } = session;
  const starts = new Set([...groups.map(({ start }) => start), entries.length]);
  const plain = turnsOf(entries).filter(
    ({ start, end }) => starts.has(start) && starts.has(end) && isPlain(entries.slice(start, end)),
  );
  const kept = entries.findIndex((entry) => entry.turn > turn - profile.snipKeepTurns);
  return oldestOf(plain, profile.snipKeepTurns, kept < 0 ? entries.length : kept, reach);
};

/** Returns the oldest of `runs` in batches: those that end before kept messages, the tail, and any open call. */
const oldestOf = (
  runs: readonly AtomicGroup[],
  kept: number,
  keptFrom: number,
  { tail, waiting }: Reach,
): readonly AtomicGroup[] => {
  const before = Math.min(keptFrom, tail, waiting);
  const beyond = runs.findIndex(({ end }) => end > before);
  return runs.slice(0, surplusInBatches(beyond < 0 ? runs.length : beyond, kept));
};

const isTools = ({ message }: Entry): boolean =>
  message.role === 'assistant' || (message.role === 'user' && !startsTurn(message));

const isPlain = ([first, ...others]: readonly Entry[]): boolean =>
  first !== undefined &&
  startsTurn(first.message) &&
  others.some(({ message }) => message.role === 'assistant') &&
  [first, ...others].every(
    ({ message }) =>
      message.role !== 'system' &&
      !message.synthetic &&
      toolCallsOf(message).length === 0 &&
      toolResultsOf(message).length === 0,
  );

/**
 * Returns how many of `surplus` are removed, in steps of half of `kept`: each change of a request's prefix
 * invalidates the provider's prompt cache, so that changes are rare and large.
 */
const surplusInBatches = (surplus: number, kept: number): number => {
  const batch = Math.max(1, Math.floor(kept / 2));
  return Math.max(0, Math.floor(surplus / batch) * batch);
};

/**
 * Returns the place from which on the newest messages belong to the tail that the read-time stages leave alone: they
 * take `viewKeepShare` of the window, as they were appended. It only ever moves on.
 */
export const tailPlace = ({ entries, limits, profile }: OpenSession): number => {
  let left = limits.window * profile.viewKeepShare;
  let place = entries.length;
  while (place > 0) {
    left -= entries[place - 1]?.tokens ?? 0;
    if (left < 0) break;
    place -= 1;
  }
  return place;
};

/**
 * Returns the oldest tool results, including the current turn, except the newest `microKeepResults`, those in the
 * protected tail, those of exempt tools, and those shorter than their replacement. A cleared result stays cleared.
 */
export const clearedResults = (
  session: OpenSession,
  results: readonly VisibleResult[],
  { tail, waiting }: Reach,
): readonly VisibleResult[] => {
  const { entries, profile } = session;
  const least = placeholderTokens(session);
  const places = new Map(entries.map((entry, at) => [entry, at]));
  const isReached = ({ caller, at }: VisibleResult): boolean =>
    at < tail && (places.get(caller) ?? waiting) < waiting;
  const beyond = results.findIndex((result) => !isReached(result));
  const reached = beyond < 0 ? results.length : beyond;
  const surplus = Math.min(reached, results.length - profile.microKeepResults);
  const isExempt = isToolAmong(profile.exemptTools);
  return results
    .slice(0, surplusInBatches(surplus, profile.microKeepResults))
    .filter(
      ({ tool, tokens, isDropped, isCollapsed }) =>
        !isDropped && !isCollapsed && tokens > least && !isExempt(tool),
    );
};

/** Range of the read-time stages: messages before both indexes; `waiting` is the index of the oldest call without a result. */
type Reach = { readonly tail: number; readonly waiting: number };
