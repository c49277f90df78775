import { type CompactionId, isWellFormed, Tokens } from '@app/kernel';
import { compose } from '../context/compose.js';
import { manifestOf } from '../context/manifest.js';
import { estimatedTokens } from '../occupancy/occupancy.js';
import type { AttemptError } from '../session/events.js';
import type { OpenSession } from '../session/state.js';
import type { Plan } from './plan.js';
import { missingSection } from './summary/sections.js';

/** The output of a summarizer, untrusted. */
export type SummaryOutcome = {
  readonly text: string;
  /** Stop reason, in the provider's terms; only a normal stop is a summary. */
  readonly finish: 'stop' | 'length' | 'tool-call' | 'filtered' | 'refusal';
};

const REFUSAL = /^(?:i['’]m sorry|i am sorry|i cannot|i can['’]t|sorry, (?:but )?i)\b/i;

/** Returns the first rule that the summary itself violates; `undefined` for a valid one. */
export const verifySummary = ({ text, finish }: SummaryOutcome): AttemptError | undefined => {
  if (finish !== 'stop') return { rule: 'finish-reason', detail: `the summary ended with "${finish}"` };
  if (text.trim() === '') return { rule: 'empty', detail: 'the summary is empty' };
  if (!isWellFormed(text)) return { rule: 'unicode', detail: 'the summary holds a lone surrogate' };
  if (REFUSAL.test(text.trim())) return { rule: 'refusal', detail: 'the summary reads as a refusal' };
  const missing = missingSection(text);
  if (missing === undefined) return undefined;
  return { rule: 'sections', detail: `no section ${missing}, or not in its place` };
};

export type Sizes = { readonly before: Tokens; readonly after: Tokens; readonly atMost: Tokens };
/** Whether the rebuilt context is enough smaller, in tokens of one and the same estimator. */
export const verifyProgress = ({ before, after, atMost }: Sizes): AttemptError | undefined =>
  after <= atMost
    ? undefined
    : { rule: 'no-gain', detail: `${before} counted tokens became ${after}, at most ${atMost} allowed` };

/**
 * Returns the sizes of the context before and after, and the limit: within the target, and a gain over the size at
 * the start of the attempt. Messages since then stay and do not count.
 */
export const sizesOf = (plan: Plan, beforeAtStart: Tokens, rebuilt: OpenSession): Sizes => ({
  before: plan.countedBefore,
  after: estimatedTokens(rebuilt),
  atMost: mostAfter(plan, plan.profile.maxRemainingShare, beforeAtStart),
});

/** Returns the most tokens that a compaction may leave, plus those of messages since the start of its attempt. */
export const mostAfter = (
  { countedBefore, target }: { readonly countedBefore: Tokens; readonly target: Tokens },
  maxRemainingShare: number,
  beforeAtStart: Tokens,
): Tokens => {
  const since = Math.max(0, countedBefore - beforeAtStart);
  return Tokens(Math.min(Math.floor(beforeAtStart * maxRemainingShare), target) + since);
};

/** Whether the rebuilt context is one that its provider accepts. */
export const verifyContext = (rebuilt: OpenSession, compactionId: CompactionId): AttemptError | undefined => {
  const { violations } = compose(manifestOf(rebuilt), 'anthropic');
  const [first] = violations;
  if (!first) return undefined;
  return { rule: 'invalid-context', detail: `${compactionId}: ${first.rule} (message ${first.at})` };
};
