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
   * What the summary is to stand for, oldest first, whole atomic groups only; the split turn's part included. Reasoning
   * and outputs that a policy, a mark or a caller has removed are not in it, nor in `retained` or `parent`.
   */
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
  /** What hooks want it to know besides: lines without breaks, never none. They guide like the instructions. */
  readonly contextLines?: readonly string[];
  /** Whether tool outputs are to be summarized, or left out but for errors. */
  readonly toolOutputs: 'summarized' | 'dropped';
  /** Upper bound of the summary, in tokens of the session's counter. */
  readonly sizeMax: Tokens;
  /** The rule that the summary of the attempt before has broken; absent in the first, and after anything else. */
  readonly brokenRule?: string;
  /** Texts of the tenant's in the place of the prompts that ship; absent where it has none. */
  readonly prompts?: PromptTexts;
  /**
   * The session's own request, as it is composed for its provider: everything of `messages` and `retained` is in it. Only
   * a summarizer that says `repeats` is given it, and only where it is to repeat it.
   */
  readonly parent?: RepeatedRequest;
};

export type SummaryResult = SummaryOutcome & { readonly usage?: Usage };

/**
 * Turns the older part of a session into one summary: Markdown with the sections of `REQUIRED_SECTIONS`.
 *
 * Quotes: the user is quoted in lines as `quoteLine` writes them, and in no other way: each is looked up in the log.
 * Time: a call may take minutes and cost money; `signal` ends it, and nothing is retried within.
 * Errors: a `SummarizerError` says what kept it from answering; whatever else it throws fails the attempt too. A
 * summary over `sizeMax` is returned as it is: verify rejects it, so that the rejection is an event and not a log line.
 * Privacy: adapters log sizes and ids, never texts.
 */
export interface Summarizer {
  readonly identity: SummarizerIdentity;
  /**
   * Tokens that one call takes, by the session's counter: messages, previous summary, retained tail, instructions and
   * context lines. The adapter has left room for its prompt and the answer. Absent where a call reads any length.
   */
  readonly inputMax?: Tokens;
  /**
   * How it wants a turn that the cut splits: history and the turn's own prefix by two calls, at a time or one after
   * the other, or all by one call, which heeds `splitPrefix`. Absent: two calls at a time.
   */
  readonly splitTurn?: 'concurrent' | 'serial' | 'one-call';
  /** The form in which it can repeat the session's own request; absent where it cannot, or another model than the session's answers. */
  readonly repeats?: WireFormat;
  /** Why it cannot be asked at all, known without asking: each call would fail with this. Absent where it can. */
  readonly unusable?: SummarizerFault;
  summarize(request: SummaryRequest, signal: AbortSignal): Promise<SummaryResult>;
  /**
   * Asks the provider for a compaction of its own of `parent`, a request of the session's in the form of `repeats` that ends
   * where the summary ends. Absent where the provider has none. Errors are those of `summarize`.
   */
  compactNatively?(
    parent: RepeatedRequest,
    signal: AbortSignal,
  ): Promise<{ readonly items: readonly JsonObject[]; readonly usage?: Usage }>;
}
