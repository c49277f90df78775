import type { UsageTaken } from '@app/contract';
import type { RequestBill, SessionState } from '@app/domain';
import { CommandOnSession } from '../../command-and-query.js';
import { Handler, HandlesCommand } from '../../handlers.js';
import { earlierRequest } from '../../sessions/earlier-request.js';
import { requireOpen } from '../../sessions/session-ref.js';
import { withEarlier } from '../append-messages.js';
import { budgetOf } from '../check-budget.js';
import { pricedBill } from '../priced-bill.js';
import type { ReportedUsage } from './append-conversation.js';

/** Records the usage that a provider billed for a request, apart from its answer. */
export class ReportUsage extends CommandOnSession<
  {
    readonly usage: ReportedUsage;
    /** The model that answered; by default that of the session. */
    readonly model?: string | undefined;
  },
  UsageTaken
> {}

@HandlesCommand(ReportUsage)
export class ReportUsageHandler extends Handler<ReportUsage, 'sessions' | 'models' | 'clock' | 'log'> {
  /** @throws {AppError} `session-not-found`, `request-not-found`. */
  async execute({ ref, input, caller }: ReportUsage): Promise<UsageTaken> {
    const { models, clock, log } = this.parts;
    const {
      model,
      usage: { requestId, ...usage },
    } = input;
    const make = async (session: SessionState) => {
      if (session.status !== 'open')
        return { type: 'ReportUsage', data: { sessionId: ref.session, usage: billOf(UNKNOWN) } } as const;
      const priced = await pricedBill({ models, clock }, ref, billOf(model ?? session.model), []);
      const command = { type: 'ReportUsage', data: { sessionId: ref.session, ...priced } } as const;
      return withEarlier(command, await earlierRequest(log, ref, session, requestId));
    };
    const billOf = (by: string): RequestBill => ({
      usage,
      model: by,
      outcome: 'completed',
      source: 'reported',
      ...(requestId !== undefined && { requestId }),
    });
    const { state, events } = await this.parts.sessions.execute(ref, { called: 'ReportUsage', make }, caller);
    const session = requireOpen(ref, state);
    const { compactionId: _, ...budget } = budgetOf(session);
    const reported = events.find((event) => event.type === 'UsageReported')?.data;
    return {
      recorded: reported !== undefined,
      requestId: reported?.requestId ?? requestId ?? null,
      countsFor: reported?.countsFor ?? null,
      window: session.limits.window,
      ...budget,
    };
  }
}
/** Model of a missing session, which the decision rejects. */
const UNKNOWN = 'unknown';
