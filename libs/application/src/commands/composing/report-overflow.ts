import { isOverflow, type ProviderError } from '@app/domain';
import { AppError, type CompactionId, invariant } from '@app/kernel';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OutcomeWaiter } from '../../running/await-outcome.js';
import { requireOpen } from '../../sessions/require-open.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import { newCompactionId } from '../compaction-id.js';

export type OverflowAnswer =
  /** Compacted: compose the request again, one time. */
  | { readonly outcome: 'compacted'; readonly compactionId: CompactionId }
  /** Something else went wrong: nothing was done, and a smaller request would not have helped. */
  | { readonly outcome: 'not-an-overflow' };

/** Tells the session that its provider refused a request, and compacts it where the request was too large. */
export class ReportOverflow extends Command<OverflowAnswer> {
  constructor(
    readonly ref: SessionRef,
    readonly error: ProviderError,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(ReportOverflow)
export class ReportOverflowHandler implements ICommandHandler<ReportOverflow> {
  constructor(
    private readonly sessions: SessionStore,
    private readonly outcomes: OutcomeWaiter,
  ) {}

  /** @throws {AppError} `session-not-found`, `session-closed`, `context-overflow`, `compaction-timed-out`. */
  async execute({ ref, error, caller }: ReportOverflow): Promise<OverflowAnswer> {
    if (!isOverflow(error)) return { outcome: 'not-an-overflow' };
    const data = { sessionId: ref.session, compactionId: newCompactionId() };
    const { state, events } = await this.sessions.execute(ref, { type: 'ReportOverflow', data }, caller);
    const skipped = events.find((event) => event.type === 'CompactionSkipped');
    if (skipped) throw overflow(`nothing can be dropped (${skipped.data.reason.rule})`);
    const { compaction } = requireOpen(ref, state);
    invariant(compaction, 'an overflow asks for a compaction, joins one, or is refused');
    const { compactionId } = compaction;
    const outcome = await this.outcomes.outcomeOf(ref, compactionId);
    if (outcome.type === 'CompactionCompleted') return { outcome: 'compacted', compactionId };
    throw overflow(`compaction ${compactionId} came to nothing (${outcome.type})`);
  }
}

const overflow = (why: string): AppError =>
  new AppError('context-overflow', `the request does not fit the model's window, and ${why}`);
