export * from './commands.js';
export { mayTruncate } from './decide/compacting/completing/judge-summary.js';
export { planNow } from './decide/compacting/give-up-calls.js';
export { carrying } from './decide/composing/carrying.js';
export {
  mustShrink,
  planRequest,
  type RequestPlan,
  type RequestWishes,
} from './decide/composing/plan-request.js';
export { type RemedyFacts, remediesFor } from './decide/composing/remedies.js';
export { largestText, type RemedyMeans, remedyTexts } from './decide/composing/remedy-texts.js';
export { type RequestVerdict, requestVerdict } from './decide/composing/request-verdict.js';
export { decide } from './decide/decide.js';
export { compactsTwice } from './decide/provider/double-compaction.js';
export * from './entry.js';
export * from './events.js';
export { evolve } from './folding/evolve.js';
export * from './folding/fold.js';
export { isPivotEvent, type PivotEvent, pivotFactsOf, withoutReverted } from './folding/pivots.js';
export type { Placed } from './folding/placed.js';
export * from './folding/rebuild.js';
export { freeingsOf, type Marks } from './marks.js';
export * from './request-parts.js';
export * from './state.js';
