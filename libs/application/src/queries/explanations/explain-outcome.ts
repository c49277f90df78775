import type { ExplainedFidelity, ExplainedOutcome, Lost, Verified } from '@app/contract';
import { type Fidelity, kindOfKey, mostAfter } from '@app/domain';
import { pick } from '@app/kernel';
import { type CompactionStory, eventsOf, type Moment } from './compaction-story.js';

/** Returns the outcome of a compaction, and whether it is still in force. */
export const explainOutcome = (story: CompactionStory): ExplainedOutcome => {
  const [completed] = eventsOf(story, 'CompactionCompleted');
  if (completed) return { status: 'completed', ...momentOf(completed), standing: story.standing };
  const [failed] = eventsOf(story, 'CompactionFailed');
  if (failed) {
    const { attempts, error } = failed.data;
    return { status: 'failed', ...momentOf(failed), attempts, error };
  }
  const [cancelled] = eventsOf(story, 'CompactionCancelled');
  if (cancelled) {
    const { by, reason } = cancelled.data;
    return { status: 'cancelled', ...momentOf(cancelled), by, reason };
  }
  const [skipped] = eventsOf(story, 'CompactionSkipped');
  if (skipped) return { status: 'skipped', ...momentOf(skipped), reason: skipped.data.reason };
  if (eventsOf(story, 'CompactionRequested').length === 0) return { status: 'deferred' };
  const started = eventsOf(story, 'CompactionStarted').length;
  return { status: started > eventsOf(story, 'CompactionAttemptFailed').length ? 'running' : 'waiting' };
};

/** Returns the lost names and directives. */
export const explainLost = (story: CompactionStory): Lost | null => {
  const fidelity = eventsOf(story, 'CompactionCompleted')[0]?.data.fidelity;
  if (!fidelity) return null;
  const { missing, missingKeys, directives } = fidelity;
  return {
    names: missing.map(({ key, messageId }) => ({ name: key, kind: kindOfKey(key), messageId })),
    directives: directives.lost ?? [],
    unlisted: Math.max(0, (missingKeys ?? missing.length) - missing.length),
  };
};

/** Returns the measurements of verification; `null` if there are none. */
export const explainVerified = (story: CompactionStory, maxRemainingShare: number): Verified | null => {
  const [completed] = eventsOf(story, 'CompactionCompleted');
  if (!completed) return null;
  const { attempt, countedBefore, countedAfter, summaryTokens, durationMs } = completed.data;
  const { fidelity, quotes = null, truncated = null, billedBefore, billedAfter } = completed.data;
  const started = eventsOf(story, 'CompactionStarted').find(({ data }) => data.attempt === attempt);
  const applied = eventsOf(story, 'CompactionApplied')[0]?.data;
  return {
    countedBefore,
    countedAfter,
    billedBefore,
    billedAfter,
    // Compactions of an imported session's agent were not verified.
    countedLimit: completed.data.imported
      ? countedAfter
      : mostAfter(completed.data, maxRemainingShare, started?.data.countedBefore ?? countedBefore),
    summaryTokens,
    durationMs,
    warningCleared: applied?.warningCleared ?? false,
    fidelity: fidelity ? withoutWords(fidelity) : null,
    quotes,
    truncated,
  };
};

/** Returns the fidelity with message IDs in place of the missing words. */
export const withoutWords = ({
  score,
  keys,
  kinds,
  missingKeys,
  directives,
  missing,
}: Fidelity): ExplainedFidelity => ({
  score,
  keys,
  kinds: kinds ?? null,
  missingKeys: missingKeys ?? null,
  directives: pick(directives, 'kept', 'of', 'missing'),
  missing: missing.map(({ messageId }) => messageId),
});

const momentOf = ({ revision, at }: Moment): Moment => ({
  revision,
  at,
});
