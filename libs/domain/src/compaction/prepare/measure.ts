import { Tokens } from '@app/kernel';
import { summaryBudget } from '../../budget/limits.js';
import { fixedTokens } from '../../budget/occupancy.js';
import type { Pairing } from '../../message/index.js';
import type { OpenSession } from '../../session/state.js';
import type { Profile } from '../profile.js';
import { carriedAt } from './carried.js';
import type { Layout } from './cuts.js';

/** A summary may take at most this share of what it stands for: more is no gain worth its loss … */
const SUMMARY_OF_COVERED = 0.5;
/** … but in less than this many tokens nothing can be said. */
const SUMMARY_MIN = 256;

/** What a cut at any place would come to. The tokens are summed up once, so that no place costs more than another. */
export type Measure = {
  /** Tokens of what stands from a place on. */
  readonly tokensFrom: (at: number) => number;
  /** How many messages a cut leaves to the summary. */
  readonly covered: (at: number) => number;
  /** The longest summary that is allowed for what stands before a place. */
  readonly summaryMax: (at: number) => Tokens;
  /** Tokens of the context if it is cut at a place and the summary takes all the room that it may. */
  readonly sizeAfter: (at: number) => number;
};

export const measureOf = (session: OpenSession, profile: Profile, { pairing }: Layout): Measure => {
  const sums = sumsUpTo(session, freedIn(session, pairing));
  const count = session.entries.length;
  const before = (at: number): number => sums[Math.min(at, count)] ?? 0;
  const whole = before(count);
  const fixed = fixedTokens(session);
  const budget = summaryBudget(session.limits, profile);
  const summarized = session.pivot?.summaryTokens ?? 0;

  const tokensFrom = (at: number): number => whole - before(at);
  const summaryMax = (at: number): Tokens => {
    const share = Math.floor((before(at) + summarized) * SUMMARY_OF_COVERED);
    return Tokens(Math.min(budget, Math.max(SUMMARY_MIN, share)));
  };
  return {
    tokensFrom,
    summaryMax,
    covered: (at) => (at === 0 || !carriedAt(session, at) ? at : at - 1),
    sizeAfter: (at) => fixed + summaryMax(at) + (carriedAt(session, at)?.tokens ?? 0) + tokensFrom(at),
  };
};

/** Tokens of the entries before each place, dropped outputs not counted. */
const sumsUpTo = ({ entries }: OpenSession, freed: ReadonlyMap<number, number>): Float64Array => {
  const sums = new Float64Array(entries.length + 1);
  let sum = 0;
  for (let at = 0; at < entries.length; at += 1) {
    sum += (entries[at]?.tokens ?? 0) - (freed.size > 0 ? (freed.get(at) ?? 0) : 0);
    sums[at + 1] = sum;
  }
  return sums;
};

/** What dropped outputs have freed, by the places of the messages that hold them. */
const freedIn = (
  { entries, droppedOutputs }: OpenSession,
  { calls }: Pairing,
): ReadonlyMap<number, number> => {
  const freed = new Map<number, number>();
  if (droppedOutputs.length === 0) return freed;
  const byCall = new Map<string, number>();
  for (const one of droppedOutputs) add(byCall, `${one.messageId} ${one.callId}`, one.freed);
  for (const { id, call, result } of calls) {
    const key = `${entries[call.message]?.message.id} ${id}`;
    if (result) add(freed, result.message, byCall.get(key) ?? 0);
    if (result) byCall.delete(key);
  }
  return freed;
};

const add = <Key>(sums: Map<Key, number>, key: Key, more: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + more);
};
