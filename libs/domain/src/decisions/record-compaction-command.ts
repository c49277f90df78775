import type { CompactionId, DomainCommand, MessageId, SessionId } from '@app/kernel';
import type { FinishedSummary } from '../compaction/finished-summary.js';
import type { Cost } from '../models/cost.js';
import type { Usage } from '../models/usage.js';
import type { ImportedCompaction, NativeCompaction, SummarizerIdentity } from '../session/facts.js';

/** Outputs of tools that the session's own agent has cleared, by the ids of their calls. */
export type RecordPruningCommand = DomainCommand<
  'RecordPruning',
  { sessionId: SessionId; callIds: readonly string[]; imported: ImportedCompaction }
>;

/** A compaction that the session's own agent has made. What it kept out of its place is appended once more before it. */
export type RecordCompactionCommand = DomainCommand<
  'RecordCompaction',
  {
    sessionId: SessionId;
    compactionId: CompactionId;
    /** The first message that stayed; absent where none did. */
    retainedFrom?: MessageId;
    /** `null` where nobody but its provider can read it. */
    summary: Pick<FinishedSummary, 'text' | 'framedTokens'> | null;
    summarizer: SummarizerIdentity;
    native?: NativeCompaction;
    usage?: Usage;
    cost?: Cost;
    durationMs: number;
    imported: ImportedCompaction;
  }
>;

/** What an import takes over of what the session's own agent did to its context. */
export type ImportCommand = RecordCompactionCommand | RecordPruningCommand;
