import { sumTokens, Tokens } from '@app/kernel';
import { calibrationInForce, requestTokens } from '../../budget/calibration/calibration.js';
import { outputMinimum, stateThresholds } from '../../budget/limits.js';
import { startsTurn } from '../../message/index.js';
import { answerRoom } from '../../occupancy/answer-room.js';
import { estimatedTokens, fixedTokens, occupancy } from '../../occupancy/occupancy.js';
import type { Remedy, SizedMessage } from '../../session/events.js';
import { isInTurn, type OpenSession } from '../../session/state.js';
import { shownSession } from '../../view/shown-session.js';
import { planNow } from '../compactions/give-up-calls.js';
import { descentOf, mustShrink, shortenedBy } from './plan-request.js';
import { requestVerdict, withContributed } from './request-verdict.js';

/** Facts for remedies that are not part of the session. */
export type RemedyFacts = {
  /** Whether a summarizer is configured for the session and has its credentials. */
  readonly canSummarize: boolean;
};

/**
 * Returns all actions that would bring the next request below its current state, with their effects, least loss
 * first. Empty in state `normal` without an overflow. Pure.
 */
export const remediesFor = (session: OpenSession, facts: RemedyFacts): readonly Remedy[] => {
  const verdict = requestVerdict(session);
  const isOverflowed = mustShrink(session);
  if (verdict.state === 'normal' && verdict.kind === 'may-go' && !isOverflowed) return [];
  const thresholds = stateThresholds(session.limits, session.profile);
  const isWarning = verdict.kind === 'may-go' && verdict.state === 'warning';
  const state = isWarning ? thresholds.warning : thresholds.critical;
  const refusedAt = isOverflowed ? descentOf(session, 'on').most + 1 : Number.POSITIVE_INFINITY;
  const below = Math.min(state, refusedAt);
  const helps = ({ billedAfter }: { readonly billedAfter: Tokens }): boolean => billedAfter < below;
  const less = [...compacting(session, facts), ...resetting(session), ...carryingLess(session)];
  return [
    ...waiting(session),
    ...less.filter(helps),
    ...(isOverflowed ? [] : overriding(session, verdict)),
    ...(isWarning ? [] : shortening(session)),
    ...largerModel(session, isWarning ? session.profile.warnAtShare : session.profile.requireAtShare),
  ];
};

/** Returns the largest message of the next request; `undefined` without messages. */
export const largestMessage = (session: OpenSession): SizedMessage | undefined => {
  const { session: shown } = shownSession(session);
  const [first, ...others] = shown.entries;
  if (!first) return undefined;
  const largest = others.reduce((most, entry) => (entry.tokens > most.tokens ? entry : most), first);
  return { messageId: largest.message.id, billedTokens: billedPart(session, largest.tokens) };
};

/** Returns the billed tokens of a request with `counted` tokens, in proportion to the session's bills. */
const billed = (session: OpenSession, counted: number): Tokens =>
  calibrationInForce(session) ? requestTokens(session, counted) : billedPart(session, counted);

const billedPart = (session: OpenSession, counted: number): Tokens => {
  const perThousand = calibrationInForce(session)?.perThousand;
  if (perThousand !== undefined) return Tokens(Math.ceil((counted * perThousand) / 1_000));
  const whole = estimatedTokens(shownSession(session).session);
  return Tokens(whole === 0 ? counted : Math.ceil((counted * occupancy(session)) / whole));
};

const waiting = (session: OpenSession): readonly Remedy[] => {
  const { compaction } = session;
  if (!compaction) return [];
  if (!compaction.running) return [{ remedy: 'wait' }];
  const { target, countedBefore } = compaction.running;
  const since = Math.max(0, estimatedTokens(session) - countedBefore);
  return [{ remedy: 'wait', billedAfter: billed(session, target + since) }];
};

/**
 * Returns the compaction as a remedy, if there is content to drop and, if a summary is needed, a summarizer: not
 * after a permanent failure.
 */
const compacting = (session: OpenSession, { canSummarize }: RemedyFacts) => {
  const { profile, compaction, lastFailure } = session;
  if (profile.mode === 'off') return [];
  if (compaction || (profile.explicitMidTurn === 'refuse' && isInTurn(session))) return [];
  const { plan } = planNow(session, profile);
  if (plan.kind === 'none') return [];
  const canAnswer = canSummarize && !lastFailure?.permanent;
  if (plan.stages.includes('summarize') && !canAnswer) return [];
  return [{ remedy: 'compact', billedAfter: billed(session, plan.target) } as const];
};

const resetting = (session: OpenSession) => {
  const input = session.entries.findLast((entry) => startsTurn(entry.message));
  const isBare = session.entries.every((entry) => entry === input) && session.pivot?.summary == null;
  if (isBare) return [];
  const after = sumTokens([fixedTokens(session), input?.tokens ?? Tokens(0)]);
  return [{ remedy: 'reset', billedAfter: billed(session, after) } as const];
};

const carryingLess = (session: OpenSession) =>
  session.request.contributed === 0
    ? []
    : [{ remedy: 'reduce-context', billedAfter: occupancy(withContributed(session, Tokens(0))) } as const];

const overriding = (session: OpenSession, verdict: ReturnType<typeof requestVerdict>): readonly Remedy[] => {
  if (verdict.kind === 'may-go' || !verdict.mayOverride) return [];
  const room = answerRoom(session, verdict.occupancy);
  return room === undefined ? [] : [{ remedy: 'override', billedAfter: verdict.occupancy, maxOutput: room }];
};

/** Returns the ladder as a remedy, if it is not automatic; its last rung only if the others do not suffice. */
const shortening = (session: OpenSession): readonly Remedy[] => {
  if (session.compaction) return []; // Its outcome decides.
  const { mode, ladder } = session.profile;
  const taken = mode === 'automatic' ? ladder : 'off';
  if (taken === 'truncate') return [];
  const short = shortenedBy(session, 'on');
  if (short) return taken === 'on' ? [] : [{ remedy: 'shorten', billedAfter: short.tokens }];
  const cut = shortenedBy(session, 'truncate');
  const [first, ...others] = cut?.truncated ?? [];
  if (!cut || !first) return [];
  const largest = others.reduce((most, one) => (one.countedBefore > most.countedBefore ? one : most), first);
  const { messageId, countedBefore } = largest;
  const billedTokens = billedPart(session, countedBefore);
  return [{ remedy: 'truncate-message', messageId, billedTokens, billedAfter: cut.tokens }];
};

/** Returns a larger model as a remedy: its window must put the request below a share, with room for the answer. */
const largerModel = (session: OpenSession, share: number): readonly Remedy[] => {
  const { limits, profile } = session;
  if (limits.window === 0) return [];
  const size = occupancy(session);
  const least = Math.max(Math.floor(size / share) + 1, size + outputMinimum(limits, profile));
  return [{ remedy: 'use-larger-model', window: Tokens(least) }];
};

/** Command, route or header by which a caller applies each remedy. */
export type RemedyMeans = { readonly [Name in Remedy['remedy']]: string };

/** Means that are the same for every caller. */
const MEANS: RemedyMeans = {
  wait: 'wait for the compaction under way',
  compact: 'compact the session',
  reset: 'reset the session',
  'reduce-context': 'send less context beside the session',
  override: 'override for this turn',
  shorten: 'compose it with the ladder "on"',
  'truncate-message': 'compose it with the ladder "truncate"',
  'use-larger-model': 'switch to a larger model',
};

/** Remedies for people, with their effects in billed tokens; one line without breaks. */
export const remedyTexts = (remedies: readonly Remedy[], means: RemedyMeans = MEANS): string =>
  remedies.length === 0
    ? 'nothing would make it fit: what every request carries is too large'
    : remedies.map((remedy) => `${means[remedy.remedy]} (${effectOf(remedy)})`).join('; or ');

const effectOf = (remedy: Remedy): string => {
  switch (remedy.remedy) {
    case 'use-larger-model':
      return `a window of ${remedy.window} tokens at least`;
    case 'override':
      return `${remedy.billedAfter} billed tokens, and ${remedy.maxOutput} for the answer`;
    case 'truncate-message':
      return `shortens message ${remedy.messageId} of ${remedy.billedTokens} billed tokens: leaves ${remedy.billedAfter} billed tokens`;
    case 'wait':
      return remedy.billedAfter === undefined
        ? 'it has not begun yet'
        : `leaves at most ${remedy.billedAfter} billed tokens`;
    default:
      return `leaves at most ${remedy.billedAfter} billed tokens`;
  }
};

/** Names the largest message, for people. */
export const largestText = ({ messageId, billedTokens }: SizedMessage): string =>
  `its largest message is ${messageId} with ${billedTokens} billed tokens`;
