import type {
  ComposedRequest,
  FileOperations,
  Message,
  PromptTexts,
  SummarizerIdentity,
  SummaryOutcome,
  Usage,
  WireFormat,
} from '@app/domain';
import type { CompactionId, JsonObject, Tokens } from '@app/kernel';
import type { SummarizerFault } from './summarizer-error.js';

/** A session's own request, in the form of a provider's API. */
export type RepeatedRequest = ComposedRequest['request'] | JsonObject;

export type SummaryRequest = {
  readonly compactionId: CompactionId;
  /**
   * The messages to summarize, oldest first, in whole atomic groups; including the part of a split turn. Reasoning
   * and outputs removed by a policy, a mark or a caller are not included, nor are they in `retained` or `parent`.
   */
  readonly messages: readonly Message[];
  /** Number of last `messages` that belong to a turn whose newer part is retained. */
  readonly splitPrefix: number;
  /** The summary that stands before `messages`: to be folded into the new one. */
  readonly previousSummary?: string;
  /** Messages that stay verbatim: the summary must not list finished work in them as next. */
  readonly retained: readonly Message[];
  /** From the tool calls of the whole session. */
  readonly fileOperations: FileOperations;
  readonly instructions?: string;
  /** Lines of hooks, without line breaks; absent if empty. They guide like the instructions. */
  readonly contextLines?: readonly string[];
  /** Whether tool outputs are to be summarized, or left out but for errors. */
  readonly toolOutputs: 'summarized' | 'dropped';
  /** Upper bound of the summary, in tokens of the session's counter. */
  readonly sizeMax: Tokens;
  /** The rule that the summary of the attempt before has broken; absent in the first, and after anything else. */
  readonly brokenRule?: string;
  /** The tenant's prompts that replace shipped ones; absent without any. */
  readonly prompts?: PromptTexts;
  /**
   * The session's own request in its provider's format, including `messages` and `retained`. Given only to a
   * summarizer with `repeats`, and only if it must repeat the request.
   */
  readonly parent?: RepeatedRequest;
};

export type SummaryResult = SummaryOutcome & { readonly usage?: Usage };

/**
 * Turns the older part of a session into one summary: Markdown with the sections of `REQUIRED_SECTIONS`.
 * Quotes: user text is quoted only in lines of `quoteLine`; each quote is checked against the log. Time: a call may
 * take minutes and cost money; `signal` aborts it, and it does not retry. Errors: a `SummarizerError` states the
 * cause; any other error fails the attempt too. A summary over `sizeMax` is returned unchanged: verification rejects
 * it, so that the rejection is recorded. Privacy: adapters log sizes and ids, never texts.
 */
export interface Summarizer {
  readonly identity: SummarizerIdentity;
  /**
   * Tokens that one call takes, by the session's counter: messages, previous summary, retained tail, instructions and
   * context lines. The adapter has left room for its prompt and the answer. Absent where a call reads any length.
   */
  readonly inputMax?: Tokens;
  /**
   * Calls for a turn that the cut splits: history and the turn's own prefix by two calls, at a time or one after
   * the other, or all by one call, which heeds `splitPrefix`. Absent: two calls at a time.
   */
  readonly splitTurn?: 'concurrent' | 'serial' | 'one-call';
  /** The form in which it can repeat the session's own request; absent where it cannot, or another model than the session's answers. */
  readonly repeats?: WireFormat;
  /** Why it cannot be asked at all, known without asking: each call would fail with this. Absent where it can. */
  readonly unusable?: SummarizerFault;
  summarize(request: SummaryRequest, signal: AbortSignal): Promise<SummaryResult>;
  /**
   * Requests a compaction by the provider of `parent`, a request of the session in the format of `repeats` that ends
   * with the covered messages. Absent if the provider has none. Errors are those of `summarize`.
   */
  compactNatively?(
    parent: RepeatedRequest,
    signal: AbortSignal,
  ): Promise<{ readonly items: readonly JsonObject[]; readonly usage?: Usage }>;
}
