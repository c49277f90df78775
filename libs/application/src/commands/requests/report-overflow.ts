import type { OverflowAnswer } from '@app/contract';
import { type CommandOf, isOverflow, type ProviderError, type SessionState } from '@app/domain';
import { canSummarize } from '@app/ports';
import { CommandOnSession } from '../../command-and-query.js';
import { Handler, HandlesCommand } from '../../handlers.js';
import { nextCompactionId } from '../../sessions/ids.js';
import { requireOpen } from '../../sessions/session-ref.js';
import { contextOverflow } from './context-overflow.js';

/** Reports a provider error, and makes room if the request was too large. */
export class ReportOverflow extends CommandOnSession<ProviderError, OverflowAnswer> {}

@HandlesCommand(ReportOverflow)
export class ReportOverflowHandler extends Handler<
  ReportOverflow,
  'sessions' | 'outcomes' | 'clock' | 'summarizers'
> {
  /** @throws {AppError} `session-not-found`, `session-closed`, `context-overflow`, `compaction-timed-out`. */
  async execute({ ref, input: error, caller }: ReportOverflow): Promise<OverflowAnswer> {
    if (!isOverflow(error)) return { outcome: 'not-an-overflow' };
    const { profile, model } = requireOpen(ref, (await this.parts.sessions.load(ref)).state);
    const reported = {
      sessionId: ref.session,
      now: this.parts.clock.now(),
      canSummarize: await canSummarize(this.parts.summarizers, { tenant: ref.tenant, profile, model }),
    };
    const make = (now: SessionState): CommandOf<'ReportOverflow'> => {
      const compactionId = nextCompactionId(ref.session, now);
      return { type: 'ReportOverflow', data: { ...reported, compactionId } };
    };
    const { state } = await this.parts.sessions.execute(ref, { called: 'ReportOverflow', make }, caller);
    const { compaction, lastAnswer, overflow, pivot } = requireOpen(ref, state);
    if (lastAnswer?.type === 'ContextOverflowed') throw contextOverflow(lastAnswer.data);
    if (!compaction && overflow?.isCompacted && pivot)
      return { outcome: 'compacted', compactionId: pivot.compactionId };
    if (!compaction) return { outcome: 'ladder' };
    const { compactionId } = compaction;
    const outcome = await this.parts.outcomes.outcomeOf(ref, compactionId);
    return outcome.type === 'CompactionCompleted'
      ? { outcome: 'compacted', compactionId }
      : { outcome: 'ladder' };
  }
}
