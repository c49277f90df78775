import type { EditsReported } from '@app/contract';
import type { ProviderEdits } from '@app/domain';
import type { Clock, ModelRegistry } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requireOpen } from '../../sessions/require-open.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import { pricedEdits } from '../priced-bill.js';

/** Records the context edits that the provider applied to a request. */
export class ReportEdits extends Command<EditsReported> {
  constructor(
    readonly ref: SessionRef,
    /** `responseId` is the ID of the provider's answer: the same answer is recorded once. */
    readonly report: { readonly edits: ProviderEdits; readonly responseId?: string },
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(ReportEdits)
export class ReportEditsHandler implements ICommandHandler<ReportEdits> {
  constructor(
    private readonly sessions: SessionStore,
    private readonly models: ModelRegistry,
    private readonly clock: Clock,
  ) {}

  /** @throws {AppError} `session-not-found`, `session-closed`. */
  async execute({ ref, report, caller }: ReportEdits): Promise<EditsReported> {
    const edits = await this.priced(ref, report.edits);
    const data = { sessionId: ref.session, ...report, edits };
    const { events } = await this.sessions.execute(ref, { type: 'ReportEdits', data }, caller);
    return {
      edited: events.find((event) => event.type === 'ProviderContextEdited')?.data ?? null,
      duplicateCompaction: events.find((event) => event.type === 'CompactionDuplicated')?.data ?? null,
    };
  }

  /** Prices the provider's own compaction with the session's model. */
  private async priced(ref: SessionRef, edits: ProviderEdits): Promise<ProviderEdits> {
    if (!edits.compaction?.usage) return edits;
    const { model } = requireOpen(ref, (await this.sessions.load(ref)).state);
    const { models, clock } = this;
    return pricedEdits({ models, clock }, ref, model, edits);
  }
}
