import type { EditsReported } from '@app/contract';
import type { ProviderEdits } from '@app/domain';
import { providerEditsFrom, type ReportedEdits } from '@app/formats';
import { invariant, type Json } from '@app/kernel';
import { CommandOnSession } from '../../command-and-query.js';
import { Handler, HandlesCommand } from '../../handlers.js';
import { requireOpen, type SessionRef } from '../../sessions/session-ref.js';
import { pricedEdits } from '../priced-bill.js';

/**
 * Records the context edits that the provider applied to a request: an answer of Anthropic's, its `applied_edits`, or
 * edits that were read from an answer. The same answer is recorded once.
 */
export class ReportEdits extends CommandOnSession<{ readonly answer: Json } | ReportedEdits, EditsReported> {}

@HandlesCommand(ReportEdits)
export class ReportEditsHandler extends Handler<ReportEdits, 'sessions' | 'models' | 'clock'> {
  /** @throws {AppError} `session-not-found`, `session-closed`. */
  async execute({ ref, input, caller }: ReportEdits): Promise<EditsReported> {
    const report = 'answer' in input ? providerEditsFrom(input.answer) : input;
    invariant(report, 'callers report only answers that have edits');
    const edits = await this.priced(ref, report.edits);
    const data = { sessionId: ref.session, ...report, edits };
    const { events } = await this.parts.sessions.execute(ref, { type: 'ReportEdits', data }, caller);
    return {
      edited: events.find((event) => event.type === 'ProviderContextEdited')?.data ?? null,
      duplicateCompaction: events.find((event) => event.type === 'CompactionDuplicated')?.data ?? null,
    };
  }

  /** Prices the provider's own compaction with the session's model. */
  private async priced(ref: SessionRef, edits: ProviderEdits): Promise<ProviderEdits> {
    if (!edits.compaction?.usage) return edits;
    const { model } = requireOpen(ref, (await this.parts.sessions.load(ref)).state);
    const { models, clock } = this.parts;
    return pricedEdits({ models, clock }, ref, model, edits);
  }
}
