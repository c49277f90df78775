import type { SessionEvent } from '@app/domain';
import { AppError, type CompactionId } from '@app/kernel';
import type { EventLog, Subscriptions } from '@app/ports';
import { type SessionRef, streamOf } from '../sessions/session-ref.js';
import type { SessionStore } from '../sessions/session-store.js';

/** How a compaction ended. */
export type CompactionOutcome = Extract<
  SessionEvent,
  { readonly type: 'CompactionCompleted' | 'CompactionFailed' | 'CompactionSkipped' }
>;

/** A worker that has not finished by then is not running. */
const PATIENCE_MS = 600_000;

/** Waits for the end of compactions, whoever runs them. */
export class OutcomeWaiter {
  constructor(
    private readonly sessions: SessionStore,
    private readonly log: EventLog,
    private readonly subscriptions: Subscriptions,
  ) {}

  /** @throws {AppError} `compaction-timed-out` where no worker has finished it in ten minutes. */
  async outcomeOf(ref: SessionRef, compactionId: CompactionId): Promise<CompactionOutcome> {
    const stream = streamOf(ref);
    // The place to listen from comes first: what ends after it is heard, what ended before it is read.
    const from = await this.subscriptions.head();
    const { state } = await this.sessions.load(ref);
    if (state.status === 'open' && state.compaction?.compactionId === compactionId) {
      const patience = AbortSignal.timeout(PATIENCE_MS);
      for await (const item of this.subscriptions.catchUp(from, patience)) {
        if (item.kind !== 'event' || item.recorded.stream !== stream) continue;
        const outcome = outcomeIn(item.recorded.event, compactionId);
        if (outcome) return outcome;
      }
      const message = `compaction ${compactionId} has not ended in ${PATIENCE_MS / 60_000} minutes: is a worker running?`;
      throw new AppError('compaction-timed-out', message);
    }
    for await (const { event } of this.log.readBackwards(stream)) {
      const outcome = outcomeIn(event, compactionId);
      if (outcome) return outcome;
    }
    throw new AppError('internal', `compaction ${compactionId} was never requested`);
  }
}

const outcomeIn = (event: SessionEvent, compactionId: CompactionId): CompactionOutcome | undefined => {
  switch (event.type) {
    case 'CompactionCompleted':
    case 'CompactionFailed':
    case 'CompactionSkipped':
      return event.data.compactionId === compactionId ? event : undefined;
    default:
      return undefined;
  }
};
