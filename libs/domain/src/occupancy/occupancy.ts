import { sumTokens, Tokens } from '@app/kernel';
import { calibrationInForce, contentTokens, partTokens } from '../budget/calibration/calibration.js';
import {
  fixedTraits,
  messageTraits,
  sumTraits,
  type TextTraits,
  textTraits,
  tokensOnly,
} from '../budget/calibration/traits.js';
import type { Entry } from '../session/entry.js';
import type { OpenSession } from '../session/state.js';
import { openCalls } from '../turns/cuts.js';
import { freedByPlace } from '../turns/freed-by-place.js';
import { firstPlace } from '../turns/turns-of.js';
import { pinnedTokens } from '../view/pinned.js';
import { recallTokens, recallTool } from '../view/recall/recall-tool.js';
import { viewOf } from '../view/view.js';
import { measuredAt } from './measured.js';

/** Counted tokens that every request carries: system prompt, tools, system messages from its head, pins, contributions. */
export const fixedTokens = (session: OpenSession): Tokens =>
  sumTokens([
    session.parts.fixedTokens,
    recallTokens(session),
    ...session.leadingSystem.map((entry) => entry.tokens),
    pinnedTokens(session.pins),
    session.request.contributed,
  ]);

/**
 * Returns the counted tokens of the next request as sent: without content removed by marks and read-time stages. The
 * one measure of a session's size: gains, targets, plans, states and thresholds use it, or `occupancy`, which
 * converts it to billed tokens.
 */
export const estimatedTokens = (session: OpenSession): Tokens =>
  Tokens(
    Math.max(
      0,
      fixedTokens(session) +
        (session.pivot?.summaryTokens ?? 0) +
        session.entriesTokens -
        viewOf(session).freed,
    ),
  );

/**
 * Returns the billed tokens of the next request: the bill of the last valid call of this epoch, plus the calibrated
 * estimate of later content. Without such a call: the sum of messages with billed sizes and the calibrated estimate
 * of the rest. Without a calibration, estimates are counted tokens. Contributions are new in every request: billed
 * ones are replaced by those of the newest request.
 */
export const occupancy = (session: OpenSession): Tokens => {
  const { usage } = session;
  if (!usage) return sumOfParts(session);
  const contributed = partTokens(session, session.request.contributed - usage.contributed);
  const omittedTokens = partTokens(session, viewOf(session).freed - usage.omittedTokens);
  const since = entriesFrom(session, usage.messages).filter(({ position }) => position !== usage.answer);
  const news = since.reduce((sum, entry) => sum + messageTokens(session, entry), 0);
  return Tokens(Math.max(0, Math.round(Math.max(0, usage.tokens + contributed) + news - omittedTokens)));
};

/** Returns the billed tokens of a message: from bills, else estimated. */
export const messageTokens = (session: OpenSession, entry: Entry): number =>
  measuredAt(session.measured, entry.position)?.billed ?? contentTokens(session, entryTraits(entry));

/** The traits of a message. */
export const entryTraits = ({ message, tokens, blockTokens }: Entry): TextTraits =>
  messageTraits(message, tokens, blockTokens);

/** The messages of a context from a position on. */
export const entriesFrom = ({ entries }: OpenSession, position: number): readonly Entry[] =>
  entries.slice(firstPlace(entries.length, (at) => (entries[at]?.position ?? 0) >= position));

/** Returns the traits of request content other than messages. */
export const traitsBesideMessages = (session: OpenSession): TextTraits => {
  const { parts, leadingSystem, pins, request, pivot } = session;
  return sumTraits([
    fixedTraits(parts),
    textTraits(RECALL_TOOL_TEXT, recallTokens(session)),
    ...leadingSystem.map(entryTraits),
    tokensOnly(pinnedTokens(pins) + request.contributed),
    textTraits(pivot?.summary ?? '', pivot?.summaryTokens ?? 0),
  ]);
};

const RECALL_TOOL_TEXT = JSON.stringify(recallTool);

const sumOfParts = (session: OpenSession): Tokens => {
  const calibration = calibrationInForce(session);
  if (!calibration) return estimatedTokens(session);
  const freed = freedByPlace(session);
  const messages = session.entries.reduce((sum, entry, at) => {
    const measured = measuredAt(session.measured, entry.position);
    const more = (freed.get(at) ?? 0) - (measured?.freed ?? 0);
    const size = measured?.billed ?? contentTokens(session, entryTraits(entry));
    return sum + Math.max(0, size - partTokens(session, more));
  }, 0);
  const beside = contentTokens(session, traitsBesideMessages(session));
  const omittedTokens = partTokens(session, viewOf(session).freed);
  return Tokens(Math.max(0, Math.round(calibration.overhead + beside + messages - omittedTokens)));
};

/** Returns the billed tokens for counted ones, in proportion to the session's requests; unchanged without a bill. */
export const billedOf = (session: OpenSession, counted: number): Tokens => {
  const [billed, all] = [occupancy(session), estimatedTokens(session)];
  return Tokens(
    all === 0 ? counted : Math.max(0, Math.round(billed - (all - counted) * shareOf(session, billed, all))),
  );
};

/** Returns billed tokens per counted one: from the calibration, else from the context. */
const shareOf = (session: OpenSession, billed: number, counted: number): number =>
  (calibrationInForce(session)?.perThousand ?? (billed * 1_000) / counted) / 1_000;

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
export const isBetweenSteps = (session: OpenSession): boolean => {
  const newest = session.entries.findLastIndex(({ message }) => message.role === 'assistant');
  return openCalls(session).every(({ call }) => call.message !== newest);
};

/** Returns whether the turn has ended, or the assistant has not begun to answer. */
const isBetweenTurns = ({ entries, turn, turnCompleted }: OpenSession): boolean => {
  if (turnCompleted >= turn) return true;
  const newest = entries.findLast(({ message }) => message.role === 'assistant');
  return newest === undefined || newest.turn < turn;
};
