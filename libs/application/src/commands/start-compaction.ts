import type { CompactionInFlight, SummarizerIdentity } from '@app/domain';
import { type Actor, type CompactionId, type IsoTime, invariant } from '@app/kernel';
import { CommandOnSession } from '../command-and-query.js';
import { Handler, HandlesCommand } from '../handlers.js';
import { inputHash } from './input-hash.js';

export type CompactionStart = {
  readonly compactionId: CompactionId;
  readonly worker: Actor;
  /** By the worker's clock. */
  readonly now: IsoTime;
  /** The summarizers to try in turn, at least one. */
  readonly summarizers: readonly SummarizerIdentity[];
  /** Lines of hooks for the summarizer; by default those of the previous attempt. */
  readonly contextLines?: readonly string[];
  /** Starts the attempt only while its input has this hash. */
  readonly inputHash?: string;
};
export type StartedAttempt = {
  readonly attempt: number;
  /** The index in {@link CompactionStart.summarizers}. */
  readonly summarizer: number;
};

/** Starts the next attempt of a requested compaction; `undefined` if it has ended or its input has another hash. */
export class StartCompaction extends CommandOnSession<CompactionStart, StartedAttempt | undefined> {}

@HandlesCommand(StartCompaction)
export class StartCompactionHandler extends Handler<StartCompaction, 'sessions'> {
  async execute({ ref, input: start, caller }: StartCompaction): Promise<StartedAttempt | undefined> {
    const { compactionId, worker, now, summarizers } = start;
    const { events } = await this.parts.sessions.execute(
      ref,
      (state) => {
        const compaction = state.status === 'open' ? state.compaction : undefined;
        const summarizer = summarizers[nextSummarizer(summarizers, compaction)];
        invariant(summarizer, 'there is a summarizer');
        const contextLines = start.contextLines ?? compaction?.contextLines ?? [];
        const hash = inputHash(state, contextLines);
        if (start.inputHash !== undefined && start.inputHash !== hash) return undefined;
        const common = { sessionId: ref.session, compactionId, worker, now };
        return { type: 'StartCompaction', data: { ...common, summarizer, inputHash: hash, contextLines } };
      },
      caller,
    );
    const started = events.find((event) => event.type === 'CompactionStarted');
    if (!started) return undefined;
    // The event holds the chosen object itself: summarizers of the same name and model stay distinct.
    const summarizer = summarizers.indexOf(started.data.summarizer);
    invariant(summarizer >= 0, 'the started attempt has a summarizer of the chain');
    return { attempt: started.data.attempt, summarizer };
  }
}

/** Failures after which the same summarizer is used again: it was interrupted, or should write less. */
const SAME_SUMMARIZER_AFTER: ReadonlySet<string> = new Set([
  'oversize',
  'no-gain',
  'superseded',
  'worker-lost',
]);

/**
 * Returns the index of the summarizer of the next attempt: 0 first, the next one after a failure, and the last for the last
 * attempt.
 */
const nextSummarizer = (
  summarizers: readonly SummarizerIdentity[],
  compaction: CompactionInFlight | undefined,
): number => {
  if (!compaction?.summarizer) return 0;
  const { summarizer: before, running, lastError, attempt, profile } = compaction;
  const last = summarizers.length - 1;
  const index = summarizers.findIndex(({ name, model }) => name === before.name && model === before.model);
  // A running attempt that is taken over has not failed.
  if (running || index < 0) return Math.max(0, index);
  if (attempt + 1 >= profile.maxAttempts) return last;
  return lastError && SAME_SUMMARIZER_AFTER.has(lastError.rule) ? index : Math.min(index + 1, last);
};
