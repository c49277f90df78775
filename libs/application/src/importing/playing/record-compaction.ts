import { createHash } from 'node:crypto';
import {
  costOf,
  frameSummary,
  type ImportedCompaction,
  type Message,
  type RecordCompactionCommand,
  UNKNOWN_MODEL,
} from '@app/domain';
import type { TranscriptCompaction, TranscriptFormat } from '@app/formats';
import { CompactionId, MessageId, Tokens } from '@app/kernel';
import type { Clock, ModelRegistry, TokenCounter } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { appendOf } from '../../commands/append-messages.js';
import { inBatches } from '../../sessions/in-batches.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import { usageOf } from './usage-of.js';

type Data = RecordCompactionCommand['data'];

/** Takes over a compaction that the agent of an imported session has made, and what it kept with it. */
export class RecordCompaction extends Command<void> {
  constructor(
    readonly ref: SessionRef,
    readonly compaction: {
      readonly compactionId: CompactionId;
      readonly format: TranscriptFormat;
      readonly recorded: TranscriptCompaction;
    },
    readonly caller: Caller,
  ) {
    super();
  }
}

/** The same for the same compaction of a transcript, whichever import brings it in. */
export const compactionIdOf = (
  { session }: SessionRef,
  { id }: Pick<TranscriptCompaction, 'id'>,
): CompactionId =>
  CompactionId(`imp_${createHash('sha256').update(`${session} ${id}`).digest('hex').slice(0, 24)}`);

@CommandHandler(RecordCompaction)
export class RecordCompactionHandler implements ICommandHandler<RecordCompaction> {
  constructor(
    private readonly sessions: SessionStore,
    private readonly counter: TokenCounter,
    private readonly models: ModelRegistry,
    private readonly clock: Clock,
  ) {}

  /** @throws {AppError} `session-not-found`, `session-closed`, `append-too-large`. */
  async execute({ ref, compaction, caller }: RecordCompaction): Promise<void> {
    const { compactionId, format, recorded } = compaction;
    const restated = restatedIn(recorded, compactionId);
    const [first] = restated;
    const { retained } = recorded;
    const retainedFrom = retained.kind === 'from' ? MessageId(retained.messageId) : first?.id;
    const data: Data = {
      sessionId: ref.session,
      compactionId,
      ...(retainedFrom && { retainedFrom }),
      ...this.summaryIn(recorded, compactionId),
      summarizer: {
        name: format,
        ...(recorded.model !== undefined && { model: recorded.model }),
        promptVersion: recorded.agentVersion ?? 'unknown',
        deterministic: false,
      },
      ...nativeIn(recorded),
      ...(await this.billIn(recorded, ref)),
      durationMs: recorded.durationMs ?? 0,
      imported: importedFrom(recorded, format),
    };
    const parts = inBatches(restated).map((batch) => appendOf(ref, batch, this.counter));
    const last = parts.splice(-1);
    for (const part of parts) await this.sessions.execute(ref, part, caller);
    await this.sessions.executeAll(ref, [...last, { type: 'RecordCompaction', data }], caller);
  }

  private summaryIn({ summary }: TranscriptCompaction, compactionId: CompactionId): Pick<Data, 'summary'> {
    if (summary === undefined) return { summary: null };
    const framedTokens = Tokens(this.counter.count(frameSummary(summary, compactionId)));
    return { summary: { text: summary, framedTokens } };
  }

  /** What nobody has billed here, or by nobody knows which prices, stays unknown. */
  private async billIn(
    { usage, model, createdAt }: TranscriptCompaction,
    { tenant }: SessionRef,
  ): Promise<Pick<Data, 'usage' | 'cost'>> {
    if (!usage) return {};
    const paid = usageOf(usage);
    const catalog = await this.models.catalogFor(tenant);
    const by = usage.model ?? model ?? UNKNOWN_MODEL;
    return { usage: paid, cost: costOf(catalog, by, paid, createdAt ?? this.clock.now()) };
  }
}

const restatedIn = (
  { retained, createdAt }: TranscriptCompaction,
  compactionId: CompactionId,
): readonly Message[] =>
  retained.kind !== 'listed'
    ? []
    : retained.messages.map(({ role, blocks }, at) => ({
        id: MessageId(`restated-${compactionId}-${at + 1}`),
        role,
        blocks,
        ...(createdAt !== undefined && { createdAt }),
        synthetic: 'restated',
      }));

const nativeIn = ({ opaque, model }: TranscriptCompaction): Pick<Data, 'native'> =>
  opaque ? { native: { ...opaque, model: model ?? UNKNOWN_MODEL } } : {};

const importedFrom = (
  { trigger, createdAt, tokensBefore, tokensAfter }: TranscriptCompaction,
  format: TranscriptFormat,
): ImportedCompaction => ({
  format,
  ...(trigger && { trigger }),
  ...(createdAt !== undefined && { at: createdAt }),
  ...(tokensBefore !== undefined && { tokensBefore: Tokens(tokensBefore) }),
  ...(tokensAfter !== undefined && { tokensAfter: Tokens(tokensAfter) }),
});
