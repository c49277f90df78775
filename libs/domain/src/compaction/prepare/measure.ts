import { Tokens } from '@app/kernel';
import { summaryBudget } from '../../budget/limits.js';
import { fixedTokens } from '../../budget/occupancy.js';
import type { OpenSession } from '../../session/state.js';
import type { Profile } from '../profile.js';
import { carriedAt } from './carried.js';

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

export const measureOf = (session: OpenSession, profile: Profile): Measure => {
  const sums = sumsUpTo(session);
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
const sumsUpTo = ({ entries, droppedOutputs }: OpenSession): Float64Array => {
  const freed = new Map<string, number>();
  for (const one of droppedOutputs) freed.set(one.messageId, (freed.get(one.messageId) ?? 0) + one.freed);
  const sums = new Float64Array(entries.length + 1);
  let sum = 0;
  for (const [at, { message, tokens }] of entries.entries()) {
    sum += freed.size > 0 ? tokens - (freed.get(message.id) ?? 0) : tokens;
    sums[at + 1] = sum;
  }
  return sums;
};
