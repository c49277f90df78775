import type { Cost, EventData, EventOf, SessionEvent, SummarizerIdentity, Usage } from '@app/domain';
import { nullsOf } from '../../rows/kinds.js';
import { type CompactionRow, compactions } from '../../rows/read-tables.js';
import type { SessionLogEvent } from '../projection.js';
import { priceOf } from '../surroundings/price.js';

/** The compaction that an event belongs to; `undefined` for the others. */
export const compactionIdOf = ({ data }: SessionEvent): string | undefined =>
  'compactionId' in data ? data.compactionId : undefined;

/** Returns the compaction's row after one more event; `undefined` if it was never requested. */
export const foldCompaction = (
  row: CompactionRow | undefined,
  recorded: SessionLogEvent,
): CompactionRow | undefined => {
  if (recorded.event.type === 'CompactionRequested') return requested(recorded, recorded.event);
  return row && { ...row, ...change(recorded, row), revision: recorded.revision };
};

const change = (
  { event, position, revision, recordedAt }: SessionLogEvent,
  row: CompactionRow,
): Partial<CompactionRow> => {
  const ended = { ended_position: position, ended_revision: revision, ended_at: recordedAt };
  switch (event.type) {
    case 'CompactionStarted': {
      const { data } = event;
      return {
        ...summarizedBy(data.summarizer),
        turn: data.turn,
        worker: data.worker,
        attempts: data.attempt,
        counted_before: data.countedBefore,
        billed_before: data.billedBefore,
        target: data.target,
        covered_messages: data.coveredMessages,
        started_position: position,
        started_revision: revision,
      };
    }
    case 'CompactionAttemptFailed':
      return { ...paid(row, event.data), reason: event.data.error.rule };
    case 'CompactionCompleted': {
      const { data } = event;
      return {
        ...paid(row, data),
        ...summarizedBy(data.summarizer),
        ...ended,
        outcome: 'completed',
        reason: null,
        turn: data.turn,
        worker: data.worker,
        attempts: data.attempt,
        ...sizesIn(data),
        target: data.target,
        covered_messages: data.covered?.messages ?? 0,
        fidelity: data.fidelity?.score ?? null,
        duration_ms: data.durationMs,
      };
    }
    case 'CompactionFailed': {
      const { attempts, error } = event.data;
      return { ...ended, outcome: 'failed', attempts, reason: error.rule };
    }
    case 'CompactionSkipped':
      return { ...ended, outcome: 'skipped', reason: event.data.reason.rule };
    case 'CompactionCancelled':
      return { ...ended, outcome: 'cancelled', reason: event.data.by };
    case 'CompactionReverted':
      return { outcome: 'reverted' };
    case 'CompactionApplied':
      return { applied_position: position };
    case 'CompactionDuplicated':
      return { ...paid(row, event.data), double_runs: row.double_runs + 1 };
    default:
      return {}; // Said of an attempt, whose failure follows.
  }
};

/** Returns the counted and billed tokens of the next request before and after a compaction. */
const sizesIn = (data: EventData<'CompactionCompleted'>): Partial<CompactionRow> => ({
  counted_before: data.countedBefore,
  counted_after: data.countedAfter,
  billed_before: data.billedBefore,
  billed_after: data.billedAfter,
});

const NULLS = nullsOf(compactions);

const requested = (
  { tenant, session, position, revision, recordedAt, context }: SessionLogEvent,
  { data }: EventOf<'CompactionRequested'>,
): CompactionRow => ({
  ...NULLS,
  tenant,
  session,
  compaction: data.compactionId,
  trigger: data.trigger,
  turn: data.turn,
  profile: data.profile.name,
  actor: context.actor,
  occupancy: data.occupancy,
  attempts: 0,
  input_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 0,
  cost_nano_usd: 0,
  unpriced_tokens: 0,
  double_runs: 0,
  requested_position: position,
  requested_revision: revision,
  requested_at: recordedAt,
  revision,
});

const summarizedBy = ({
  name,
  model,
  promptVersion,
  deterministic,
}: SummarizerIdentity): Partial<CompactionRow> => ({
  summarizer: name,
  summarizer_model: model ?? null,
  prompt_version: promptVersion,
  deterministic,
});

/** Every billed attempt counts, with any outcome. */
const paid = (
  row: CompactionRow,
  { usage, cost }: { readonly usage?: Usage; readonly cost?: Cost },
): Partial<CompactionRow> => {
  if (usage === undefined) return {};
  const price = priceOf(usage, cost);
  return {
    input_tokens: row.input_tokens + usage.inputTokens,
    cache_read_tokens: row.cache_read_tokens + usage.cacheReadTokens,
    cache_write_tokens: row.cache_write_tokens + usage.cacheWriteTokens,
    output_tokens: row.output_tokens + usage.outputTokens,
    cost_nano_usd: row.cost_nano_usd + price.cost_nano_usd,
    unpriced_tokens: row.unpriced_tokens + price.unpriced_tokens,
  };
};
