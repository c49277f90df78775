import { sumTokens, Tokens } from '@app/kernel';
import { pinnedTokens } from '../context/pinned.js';
import { recallTokens } from '../context/recall/recall-tool.js';
import { viewOf } from '../context/view/view.js';
import type { OpenSession } from '../session/state.js';
import { partTokens, requestTokens } from './calibration/calibration.js';

/** Tokens that every request of the session carries: system prompt, tools, system messages from its head, pins, contributions. */
export const fixedTokens = (session: OpenSession): Tokens =>
  sumTokens([
    session.parts.fixedTokens,
    recallTokens(session),
    ...session.leadingSystem.map((entry) => entry.tokens),
    pinnedTokens(session.pins),
    session.request.contributed,
  ]);

/**
 * Counted tokens of the next request as it is sent: less what marks and the read-time stages leave out of it. The one
 * measure of a session's size: gains, targets, plans, states and thresholds are held against it, or against
 * `occupancy`, which puts it in billed tokens.
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
 * Billed tokens of the next request as it is sent: what the provider billed for the last valid call of this epoch, and
 * the estimate of what came after it, less what the read-time stages leave out since then. Without such a call
 * everything is estimated. What is estimated is calibrated by what the provider has reported of earlier requests.
 * Contributions are computed anew for every request: those that were billed make room for those of the newest one.
 */
export const occupancy = (session: OpenSession): Tokens => {
  const { usage } = session;
  if (!usage) return requestTokens(session, estimatedTokens(session));
  const since = session.entries.filter((entry) => entry.position >= usage.messages);
  const billed = usage.tokens - usage.contributed + session.request.contributed;
  const counted = sumTokens(since.map((entry) => entry.tokens));
  return Tokens(
    Math.max(0, Math.round(Math.max(0, billed) + partTokens(session, counted - freedSince(session, usage)))),
  );
};

/**
 * Counted tokens that the read-time stages leave out now and did not leave out of the request that was billed. A view
 * only grows, and a mark voids the bill: so it is what the same messages and the same policy gave then.
 */
const freedSince = (
  session: OpenSession,
  { messages, isBilled }: NonNullable<OpenSession['usage']>,
): number => {
  const { freed } = viewOf(session);
  if (freed === 0) return 0;
  const { entries } = session;
  const answer = isBilled ? entries.findLast(({ position }) => position < messages) : undefined;
  // The answer is in the bill, and was not in the request.
  const sent = answer?.message.role === 'assistant' ? answer.position : messages;
  const then = entries.filter(({ position }) => position < sent);
  const turn = then.at(-1)?.turn ?? session.turn;
  return freed - viewOf({ ...session, entries: then, turn }).freed;
};
