import type { CompactionId, DomainCommand, MessageId, SessionId } from '@app/kernel';
import type { FinishedSummary } from '../compaction/finished-summary.js';
import type { Cost, Usage } from '../models/cost.js';
import type { ImportedCompaction, NativeCompaction, SummarizerIdentity } from '../session/facts.js';

/** Outputs of tools that the session's own agent has cleared, by the ids of their calls. */
export type RecordPruningCommand = DomainCommand<
  'RecordPruning',
  { sessionId: SessionId; callIds: readonly string[]; imported: ImportedCompaction }
>;

/** Imports a compaction of the session's own agent. Kept messages that moved are appended again before it. */
export type RecordCompactionCommand = DomainCommand<
  'RecordCompaction',
  {
    sessionId: SessionId;
    compactionId: CompactionId;
    /** The first retained message; absent if none was retained. */
    retainedFrom?: MessageId;
    /** `null` if only the provider can read it. */
    summary: Pick<FinishedSummary, 'text' | 'framedTokens'> | null;
    summarizer: SummarizerIdentity;
    native?: NativeCompaction;
    usage?: Usage;
    cost?: Cost;
    durationMs: number;
    imported: ImportedCompaction;
  }
>;

/** Imports of context changes by the session's own agent. */
export type ImportCommand = RecordCompactionCommand | RecordPruningCommand;
