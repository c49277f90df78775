import type { ProviderEdits, SessionEvent } from '@app/domain';
import type { Clock, ModelRegistry } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requireOpen } from '../../sessions/require-open.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import { pricedEdits } from '../priced-bill.js';

export type EditsReported = {
  /** What of the report was news; `null` where nothing was. */
  readonly edited: Extract<SessionEvent, { readonly type: 'ProviderContextEdited' }>['data'] | null;
  /** Where the provider has compacted beside this engine: what either has cost. */
  readonly duplicateCompaction:
    | Extract<SessionEvent, { readonly type: 'CompactionDuplicated' }>['data']
    | null;
};

/** Tells the session what the provider's own context management removed from a request. */
export class ReportEdits extends Command<EditsReported> {
  constructor(
    readonly ref: SessionRef,
    /** `responseId` names the answer that told it: reported again, it is no news. */
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

  /** What the provider billed for a compaction of its own, by the price of the session's model. */
  private async priced(ref: SessionRef, edits: ProviderEdits): Promise<ProviderEdits> {
    if (!edits.compaction?.usage) return edits;
    const { model } = requireOpen(ref, (await this.sessions.load(ref)).state);
    const { models, clock } = this;
    return pricedEdits({ models, clock }, ref, model, edits);
  }
}
