export {
  type Calibration,
  calibrate,
  calibrationInForce,
  partTokens,
  sizeOf,
} from './budget/calibration/calibration.js';
export * from './budget/calibration/traits.js';
export * from './budget/limits.js';
export * from './budget/overflow.js';
export * from './compaction/continuation.js';
export * from './compaction/files/index.js';
export * from './compaction/plan.js';
export * from './compaction/prepare/prepare.js';
export * from './compaction/prompt-cache.js';
export { type CountedReinjection, reinjectable } from './compaction/reinjection/reinjectable.js';
export * from './compaction/running-plan.js';
export { summarizerMessage, summarizerSession } from './compaction/summarizer-input.js';
export * from './compaction/summary/downgrade-reasoning.js';
export * from './compaction/summary/join-summaries.js';
export { REQUIRED_SECTIONS } from './compaction/summary/sections.js';
export * from './compaction/summary/truncate-summary.js';
export * from './compaction/verify.js';
export * from './context/frames/summary-frame.js';
export * from './context/index.js';
export * from './decisions/commands.js';
export { planNow } from './decisions/compactions/give-up-calls.js';
export { mayTruncate } from './decisions/compactions/judge-summary.js';
export { decide, sessionNotFound } from './decisions/decide.js';
export { compactsTwice } from './decisions/provider/report-edits.js';
export {
  mustShrink,
  planRequest,
  type RequestWishes,
} from './decisions/requests/plan-request.js';
export {
  largestText,
  type RemedyFacts,
  type RemedyMeans,
  remediesFor,
  remedyTexts,
} from './decisions/requests/remedies.js';
export { requestVerdict, withContributed } from './decisions/requests/request-verdict.js';
export * from './decisions/requests/retention-in-force.js';
export { isActivity, isProtectionType } from './evolve/changes/change-protection.js';
export { evolve } from './evolve/evolve.js';
export {
  isPivotEvent,
  type PivotEvent,
  type Placed,
  pivotFactsOf,
  withoutReverted,
} from './evolve/pivots.js';
export * from './evolve/rebuild.js';
export { type Strength, strengthOf } from './fidelity/directive.js';
export { factList } from './fidelity/fact-list.js';
export { type Fidelity, fidelityOf } from './fidelity/fidelity.js';
export {
  keysOf,
  kindOfKey,
  type LinePiece,
  piecesOf,
  WORDS_MIN,
} from './fidelity/keys.js';
export { contentWords, overlap } from './fidelity/words.js';
export { defused } from './message/defused.js';
export * from './message/index.js';
export * from './message/wire.js';
export * from './models/index.js';
export * from './occupancy/answer-room.js';
export { countedTarget } from './occupancy/counted-limits.js';
export * from './occupancy/doubt.js';
export * from './occupancy/occupancy.js';
export * from './profiles/fields/with-overrides.js';
export { profileFor } from './profiles/for-model.js';
export * from './profiles/index.js';
export * from './profiles/profile.js';
export * from './profiles/resolve-profile.js';
export * from './quotes/check-quotes.js';
export { withoutForeign } from './quotes/foreign-text.js';
export * from './quotes/quote-line.js';
export * from './quotes/spoken-text.js';
export { knownUserText } from './quotes/user-text.js';
export * from './quotes/users-section.js';
export * from './session/index.js';
export * from './session/retention.js';
export * from './tenant/index.js';
export { renderPin } from './view/pinned.js';
export * from './view/recall/recall-tool.js';
export { shownSession, shownTokens } from './view/shown-session.js';
