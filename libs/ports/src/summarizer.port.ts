import type { FileOperations, Message, SummarizerIdentity, SummaryOutcome, Usage } from '@app/domain';
import type { CompactionId, Tokens } from '@app/kernel';

export type SummaryRequest = {
  readonly compactionId: CompactionId;
  /** What the summary is to stand for, oldest first, whole atomic groups only; the split turn's part included. */
  readonly messages: readonly Message[];
  /** Of `messages`, how many at the end belong to a turn whose newer part is retained. */
  readonly splitPrefix: number;
  /** The summary that stands before `messages`: to be folded into the new one. */
  readonly previousSummary?: string;
  /** What stays word for word: finished work in it must not be listed as next. */
  readonly retained: readonly Message[];
  /** From the tool calls of the whole session. */
  readonly fileOperations: FileOperations;
  readonly instructions?: string;
  /** Whether tool outputs are to be summarized, or left out but for errors. */
  readonly toolOutputs: 'summarized' | 'dropped';
  /** Upper bound of the summary, in tokens of the session's counter. */
  readonly sizeMax: Tokens;
};

export type SummaryResult = SummaryOutcome & { readonly usage?: Usage };

/**
 * Turns the older part of a session into one summary: Markdown with the sections of `REQUIRED_SECTIONS`.
 *
 * Time: a call may take minutes and cost money; `signal` ends it, and nothing is retried within.
 * Errors: whatever it throws fails the attempt. A summary over `sizeMax` is returned as it is: verify rejects it,
 * so that the rejection is an event and not a log line.
 * Privacy: adapters log sizes and ids, never texts.
 */
export interface Summarizer {
  readonly identity: SummarizerIdentity;
  summarize(request: SummaryRequest, signal: AbortSignal): Promise<SummaryResult>;
}
