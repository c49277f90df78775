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

/** Tokens of the next request as this engine counts them, without regard to what a provider reported. */
export const estimatedTokens = (session: OpenSession): Tokens =>
  Tokens(fixedTokens(session) + (session.pivot?.summaryTokens ?? 0) + session.entriesTokens);

/**
 * Tokens of the next request: what the provider billed for the last valid call of this epoch, and the estimate
 * of what came after it. Without such a call everything is estimated, less what is left out on its way out. What is
 * estimated is calibrated by what the provider has reported of earlier requests.
 * Contributions are computed anew for every request: those that were billed make room for those of the newest one.
 */
export const occupancy = (session: OpenSession): Tokens => {
  const { usage } = session;
  if (!usage) return requestTokens(session, estimatedTokens(session) - viewOf(session).freed);
  const since = session.entries.filter((entry) => entry.position >= usage.messages);
  const billed = usage.tokens - usage.contributed + session.request.contributed;
  const counted = sumTokens(since.map((entry) => entry.tokens));
  return sumTokens([Math.max(0, billed), partTokens(session, counted)]);
};
