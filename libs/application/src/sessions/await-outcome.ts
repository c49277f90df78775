import { setTimeout as pause } from 'node:timers/promises';
import type { SessionEvent } from '@app/domain';
import { AppError, type CompactionId, type LogPosition } from '@app/kernel';
import type { EventLog, Subscriptions } from '@app/ports';
import { type SessionRef, streamOf } from './session-ref.js';
import type { SessionStore } from './session-store.js';

/** How a compaction ended. */
export type CompactionOutcome = Extract<
  SessionEvent,
  {
    readonly type: 'CompactionCompleted' | 'CompactionFailed' | 'CompactionSkipped' | 'CompactionCancelled';
  }
>;

/** A worker that has not finished by then is not running. */
const TIMEOUT_MS = 600_000;
const LISTEN_AGAIN_AFTER_MS = 250;

/** Waits for the end of compactions, whoever runs them. */
export class OutcomeWaiter {
  constructor(
    private readonly sessions: SessionStore,
    private readonly log: EventLog,
    private readonly subscriptions: Subscriptions,
    /** How long a compaction is waited for where a caller gives no time of its own. Milliseconds. */
    private readonly timeoutMs: number = TIMEOUT_MS,
  ) {}

  /**
   * @throws {AppError} `compaction-timed-out` where no worker has finished it by then; `internal` where it was never
   *   requested; `event-store-unavailable` where the log is away when this is asked.
   */
  async outcomeOf(
    ref: SessionRef,
    compactionId: CompactionId,
    timeoutMs: number = this.timeoutMs,
  ): Promise<CompactionOutcome> {
    const timeout = AbortSignal.timeout(timeoutMs);
    let error: unknown;
    while (!timeout.aborted) {
      // The place to listen from comes first: what ends after it is heard, what ended before it is read.
      const from = await this.subscriptions.head();
      if (!(await isUnderWay(this.sessions, ref, compactionId)))
        return this.recordedOutcome(ref, compactionId);
      try {
        const outcome = await this.awaitedOutcome(ref, compactionId, from, timeout);
        if (outcome) return outcome;
      } catch (lost) {
        if (!(lost instanceof AppError && lost.code === 'event-store-unavailable')) throw lost;
        error = lost;
      }
      await pause(LISTEN_AGAIN_AFTER_MS, undefined, { signal: timeout }).catch(() => undefined);
    }
    const seconds = Math.round(timeoutMs / 1_000);
    const message = `compaction ${compactionId} has not ended in ${seconds} seconds: is a worker running?`;
    throw new AppError('compaction-timed-out', message, { cause: error });
  }

  /** `undefined` where the log ends the subscription, or the timeout passes. */
  private async awaitedOutcome(
    ref: SessionRef,
    compactionId: CompactionId,
    from: LogPosition | 'start',
    timeout: AbortSignal,
  ): Promise<CompactionOutcome | undefined> {
    const stream = streamOf(ref);
    for await (const item of this.subscriptions.catchUp(from, timeout)) {
      if (item.kind === 'unreadable' && item.unreadable.stream === stream) throw item.unreadable.error;
      if (item.kind !== 'event' || item.recorded.stream !== stream) continue;
      const outcome = outcomeIn(item.recorded.event, compactionId);
      if (outcome) return outcome;
    }
    return undefined;
  }

  private async recordedOutcome(ref: SessionRef, compactionId: CompactionId): Promise<CompactionOutcome> {
    for await (const { event } of this.log.readBackwards(streamOf(ref))) {
      const outcome = outcomeIn(event, compactionId);
      if (outcome) return outcome;
    }
    throw new AppError('internal', `compaction ${compactionId} was never requested`);
  }
}

/** Returns whether a compaction is requested or has started, and has no outcome yet. */
export const isUnderWay = async (
  sessions: SessionStore,
  ref: SessionRef,
  compactionId: CompactionId,
): Promise<boolean> => {
  const { state } = await sessions.load(ref);
  return state.status === 'open' && state.compaction?.compactionId === compactionId;
};

const outcomeIn = (event: SessionEvent, compactionId: CompactionId): CompactionOutcome | undefined => {
  switch (event.type) {
    case 'CompactionCompleted':
    case 'CompactionFailed':
    case 'CompactionSkipped':
    case 'CompactionCancelled':
      return event.data.compactionId === compactionId ? event : undefined;
    default:
      return undefined;
  }
};
