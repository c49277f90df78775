import { Tokens } from '@app/kernel';
import { summaryBudget, targetTokens } from '../../budget/limits.js';
import { estimatedTokens, fixedTokens } from '../../budget/occupancy.js';
import { startsTurn } from '../../message/index.js';
import type { Entry } from '../../session/entry.js';
import { freeingsOf } from '../../session/marks.js';
import type { OpenSession } from '../../session/state.js';
import { fileOperationsOf, NO_FILE_OPERATIONS } from '../file-operations.js';
import type { Plan } from '../plan.js';
import type { Profile } from '../profile.js';
import type { CutChoice } from './choose-cut.js';
import { turnStartOf } from './floor.js';
import { retentionOf } from './retention.js';

/** A summary may take at most this share of what it stands for: more is no gain worth its loss … */
const SUMMARY_OF_COVERED = 0.5;
/** … but in less than this many tokens nothing can be said. */
const SUMMARY_MIN = 256;

/** Tokens of the context if it is cut at `at` and the summary takes all the room that it may. */
export const sizeAfter = (session: OpenSession, profile: Profile, at: number): number => {
  const carried = carriedAt(session, at);
  return (
    fixedTokens(session) +
    summaryMax(session, profile, at) +
    (carried?.tokens ?? 0) +
    keptTokens(session, session.entries.slice(at))
  );
};

/** The longest summary that is allowed for what stands before `at`. */
const summaryMax = (session: OpenSession, profile: Profile, at: number): Tokens => {
  const replaced = keptTokens(session, session.entries.slice(0, at)) + (session.pivot?.summaryTokens ?? 0);
  return Tokens(
    Math.min(
      summaryBudget(session.limits, profile),
      Math.max(SUMMARY_MIN, Math.floor(replaced * SUMMARY_OF_COVERED)),
    ),
  );
};

const keptTokens = (session: OpenSession, entries: readonly Entry[]): number => {
  const ids = new Set(entries.map((entry) => entry.message.id));
  const freed = freeingsOf(session).reduce((sum, one) => (ids.has(one.messageId) ? sum + one.freed : sum), 0);
  return entries.reduce((sum, entry) => sum + entry.tokens, -freed);
};

/** The message that began the turn which a cut at `at` splits; it stays, although it is behind the cut. */
const carriedAt = (session: OpenSession, at: number): Entry | undefined => {
  if (at === 0) return carriedBefore(session);
  const first = session.entries[at];
  if (!first || startsTurn(first.message)) return undefined;
  return turnStartOf(session.entries, at);
};
/** The message that the compaction in force carries. */
export const carriedBefore = ({ pivot, entries: [first] }: OpenSession): Entry | undefined =>
  pivot && first && first.revision < (pivot.cut ?? pivot).revision ? first : undefined;

/** What a cut at `at` leaves to the summary. */
export const coveredAt = (session: OpenSession, at: number): Entry[] => {
  const carried = carriedAt(session, at);
  return session.entries.slice(0, at).filter((entry) => entry !== carried);
};

/** What has been decided: the cut by its place among the entries, 0 to leave it where it is. */
export type Decision = Pick<Plan, 'droppedOutputs' | 'target' | 'stages'> & {
  readonly at: number;
  readonly choice?: CutChoice;
};

/** The whole plan that a decision amounts to. */
export const planAt = (
  session: OpenSession,
  profile: Profile,
  { at, choice, droppedOutputs, target, stages }: Decision,
): Plan => {
  const carried = carriedAt(session, at);
  const covered = coveredAt(session, at);
  const retained = session.entries.slice(at).filter((entry) => entry !== carried);
  const [first] = retained;
  if (!first) throw new RangeError('a plan must retain something');
  const messages = covered.map((entry) => entry.message);
  const newest = { messageId: first.message.id, revision: first.revision };
  const cut = at === 0 ? (session.pivot?.cut ?? newest) : newest;
  return {
    kind: 'plan',
    profile,
    stages,
    cut,
    covered,
    splitPrefix: carried && at > 0 ? covered.filter((entry) => entry.turn === first.turn) : [],
    carried,
    retained,
    previousSummary: session.pivot?.summary ?? undefined,
    droppedOutputs,
    fileOperations: fileOperationsOf(messages, session.pivot?.fileOperations ?? NO_FILE_OPERATIONS),
    tokensBefore: estimatedTokens(session),
    target,
    targetRaised: raisedTarget(session, profile, target),
    protection: shrunkProtection(choice, target),
    summaryMax: summaryMax(session, profile, at),
    retention: retentionOf({
      covered,
      retained: carried ? [carried, ...retained] : retained,
      droppedOutputs: [...session.droppedOutputs, ...droppedOutputs],
      reasoningClearedIn: session.reasoningClearedIn,
      profile,
    }),
  };
};

const raisedTarget = (session: OpenSession, profile: Profile, target: Tokens): Plan['targetRaised'] => {
  const from = targetTokens(session.limits, profile);
  if (from === undefined || target <= from) return undefined;
  return { from, because: 'the newest atomic group and what every request carries leave no room for it' };
};

const shrunkProtection = (choice: CutChoice | undefined, target: Tokens): Plan['protection'] => {
  if (!choice || choice.turns >= choice.wanted) return undefined;
  const { turns, wanted } = choice;
  return { turns, wanted, because: `${wanted} protected turns alone exceed the target of ${target} tokens` };
};
