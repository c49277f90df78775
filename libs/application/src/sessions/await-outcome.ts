import { setTimeout as pause } from 'node:timers/promises';
import { type SessionEvent, sessionNotFound } from '@app/domain';
import { AppError, type CompactionId, type LogPosition } from '@app/kernel';
import type { EventLog, Subscriptions } from '@app/ports';
import { compactionsBackwards } from './readers/moment.js';
import { type SessionRef, streamOf } from './session-ref.js';
import type { SessionStore } from './session-store.js';

/** Outcome event of a compaction. */
export type CompactionOutcome = Extract<
  SessionEvent,
  {
    readonly type: 'CompactionCompleted' | 'CompactionFailed' | 'CompactionSkipped' | 'CompactionCancelled';
  }
>;

/** Default timeout in milliseconds: a worker that needs longer is not running. */
const TIMEOUT_MS = 600_000;
const LISTEN_AGAIN_AFTER_MS = 250;

/** Waits for the outcome of compactions of any worker. */
export class OutcomeWaiter {
  constructor(
    private readonly sessions: SessionStore,
    private readonly log: EventLog,
    private readonly subscriptions: Subscriptions,
    /** Default timeout in milliseconds. */
    private readonly timeoutMs: number = TIMEOUT_MS,
  ) {}

  /**
   * @throws {AppError} `compaction-timed-out` if it has no outcome by then; `session-not-found`; `compaction-not-found` if it
   *   never has one; `event-store-unavailable` if the event store does not answer.
   */
  async outcomeOf(
    ref: SessionRef,
    compactionId: CompactionId,
    timeoutMs: number = this.timeoutMs,
  ): Promise<CompactionOutcome> {
    // Most have ended, and need no position of the subscription.
    if (!(await isUnderWay(this.sessions, ref, compactionId))) return this.recordedOutcome(ref, compactionId);
    const timeout = AbortSignal.timeout(timeoutMs);
    let error: unknown;
    while (!timeout.aborted) {
      // The subscription's position is read before the session, so that no outcome is missed in between.
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

  /** Returns `undefined` if the subscription ends or the timeout passes. */
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
    let isKnown = false;
    for await (const { event } of compactionsBackwards(this.log, streamOf(ref))) {
      isKnown = true;
      const outcome = outcomeIn(event, compactionId);
      if (outcome) return outcome;
    }
    if (!isKnown) throw sessionNotFound(ref.session);
    throw new AppError(
      'compaction-not-found',
      `"${compactionId}" is no compaction of session "${ref.session}" with an outcome: resets, forks and deferred compactions have none`,
    );
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
