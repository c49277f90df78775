export * from './budget/answer-room.js';
export {
  type BillSample,
  type Calibration,
  calibrate,
  calibrationInForce,
  sizeOf,
} from './budget/calibration/calibration.js';
export { countedTarget } from './budget/calibration/counted-limits.js';
export * from './budget/calibration/doubt.js';
export * from './budget/calibration/traits.js';
export * from './budget/limits.js';
export * from './budget/models.js';
export * from './budget/occupancy.js';
export * from './budget/overflow.js';
export * from './budget/state.js';
export * from './compaction/continuation.js';
export * from './compaction/files/index.js';
export * from './compaction/plan.js';
export * from './compaction/prepare/prepare.js';
export * from './compaction/profile.js';
export type { ProfileField, ProfileTheme } from './compaction/profiles/fields/field.js';
export * from './compaction/profiles/fields/profile-fields.js';
export * from './compaction/profiles/fields/with-overrides.js';
export { profileFor } from './compaction/profiles/for-model.js';
export * from './compaction/profiles/index.js';
export * from './compaction/profiles/resolve-profile.js';
export type { CountedReinjection } from './compaction/reinjection/fit-reinjection.js';
export { reinjectable } from './compaction/reinjection/reinjectable.js';
export { framedItem, REINJECTION_FRAME } from './compaction/reinjection/reinjection-frame.js';
export * from './compaction/retention.js';
export * from './compaction/retention-in-force.js';
export * from './compaction/running-plan.js';
export * from './compaction/summary/downgrade-reasoning.js';
export * from './compaction/summary/join-summaries.js';
export { REQUIRED_SECTIONS } from './compaction/summary/sections.js';
export * from './compaction/summary/truncate-summary.js';
export * from './compaction/summary-frame.js';
export { toldMessage, toldSession } from './compaction/told.js';
export * from './compaction/verify.js';
export { defused } from './context/defused.js';
export * from './context/index.js';
export { type Strength, strengthOf } from './fidelity/directive.js';
export { factList } from './fidelity/fact-list.js';
export { type Fidelity, fidelityOf, type LostDirective } from './fidelity/fidelity.js';
export {
  type KeyKind,
  keysOf,
  kindOfKey,
  type LineKeys,
  type LinePiece,
  piecesOf,
  WORDS_MIN,
} from './fidelity/keys.js';
export { contentWords, overlap } from './fidelity/words.js';
export * from './message/index.js';
export * from './models/index.js';
export { attributedWords } from './quotes/attribution.js';
export * from './quotes/check-quotes.js';
export { withoutForeign } from './quotes/foreign-text.js';
export * from './quotes/quote-line.js';
export { type CheckedSummary, type QuoteCheck, saidIn } from './quotes/said.js';
export * from './quotes/spoken-text.js';
export * from './quotes/users-section.js';
export * from './session/index.js';
export * from './tenant/index.js';
