import type { EventData, SessionEvent } from '@app/domain';

/** The facts so far that decisions refer to. */
export class DecisionRecord {
  readonly requested = new Set<string>();
  readonly started = new Set<string>();
  readonly completed = new Set<string>();
  /** Reached threshold of an automatic compaction, since the last compaction. */
  hit: EventData<'CompactionThresholdHit'> | undefined;

  add(event: SessionEvent): void {
    switch (event.type) {
      case 'CompactionThresholdHit':
        this.hit = event.data;
        return;
      case 'CompactionRequested':
        this.requested.add(event.data.compactionId);
        return;
      case 'CompactionStarted':
        this.started.add(event.data.compactionId);
        return;
      case 'CompactionCompleted':
      case 'SessionForked':
      case 'SessionReset':
        this.completed.add(event.data.compactionId);
        return;
      default:
        return;
    }
  }
}

/** Returns the missing inputs of a decision; `no-decision` for other events. */
export const decisionProblem = (
  event: SessionEvent,
  { requested, started, completed, hit }: DecisionRecord,
): string | undefined | 'no-decision' => {
  switch (event.type) {
    case 'CompactionThresholdHit':
      return isReached(event.data) ? undefined : 'a threshold is said to be reached, and is not';
    case 'CompactionRequested':
      return event.data.trigger === 'threshold' && !hit
        ? 'an automatic compaction is requested without a threshold'
        : undefined;
    case 'CompactionStarted':
      return requested.has(event.data.compactionId) ? undefined : 'a compaction is started and not requested';
    case 'CompactionCompleted':
      return requested.has(event.data.compactionId) && started.has(event.data.compactionId)
        ? undefined
        : 'a compaction is completed and not started';
    case 'CompactionApplied':
      return completed.has(event.data.compactionId) ? undefined : 'a compaction is applied and not completed';
    case 'CompactionReverted':
      return completed.has(event.data.compactionId)
        ? undefined
        : 'a compaction is reverted and not completed';
    case 'CompactionOverridden':
      return event.data.reason.trim() === '' ? 'an override has no reason' : undefined;
    case 'RequestRefused':
      return event.data.occupancy >= event.data.threshold || event.data.reason === 'compaction-in-flight'
        ? undefined
        : 'a request is refused below the threshold';
    default:
      return 'no-decision';
  }
};

/** A trigger beside tokens counts something else. */
const isReached = ({ occupancy, threshold, reached, at }: EventData<'CompactionThresholdHit'>): boolean =>
  reached === undefined || at === undefined ? occupancy >= threshold : reached >= at;
