import type { Block, Message } from '@app/domain';
import type { IsoTime, JsonObject } from '@app/kernel';

/** A session of a transcript. A side chain is a child session of the one that started it. */
export type TranscriptSession = {
  /** The transcript's own id, else one derived from its first messages. */
  readonly id: string;
  readonly parentId?: string;
  /** For a branch: the session and the message or compaction whose context it begins with. */
  readonly forkOf?: {
    readonly sessionId: string;
    readonly behind: { readonly kind: 'message' | 'compaction'; readonly id: string };
  };
  readonly model?: string;
  /** Tokens that its agent reckoned with. */
  readonly window?: number;
  /** The system prompt, if it is not among the messages. */
  readonly system?: string;
  readonly tools?: readonly JsonObject[];
  /** The title given by the user; titles by a model are left out. */
  readonly title?: string;
  /** The name of the repository, or of the working folder. */
  readonly project?: string;
};

/** The usage of one model call, as recorded in the transcript. */
export type TranscriptUsage = {
  readonly model?: string;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
};

export type TranscriptMessage = {
  /** The transcript's own id of the message, unique within the session, else one derived from its position. */
  readonly id: string;
  readonly role: Message['role'];
  readonly blocks: readonly Block[];
  /** Indexes of blocks in a user message that the agent inserted according to the transcript. */
  readonly inserted?: readonly number[];
  readonly model?: string;
  readonly createdAt?: IsoTime;
  readonly usage?: TranscriptUsage;
};

/** A compaction by the session's own agent. */
export type TranscriptCompaction = {
  /** The transcript's own id of it, or one derived from its place; unique among the compactions of the session. */
  readonly id: string;
  /** As the agent saw it from then on; absent where only `opaque` has it. */
  readonly summary?: string;
  /**
   * Messages kept verbatim: none; all from one of them on; or a list, in the agent's order after the compaction. All
   * other earlier messages are covered.
   */
  readonly retained: Retained;
  readonly trigger?: 'automatic' | 'manual';
  readonly createdAt?: IsoTime;
  /** Author of the summary. */
  readonly model?: string;
  /** The agent that made it. */
  readonly agentVersion?: string;
  readonly usage?: TranscriptUsage;
  /** As the agent counted them. */
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  readonly durationMs?: number;
  /** The provider's own form of the covered messages, which only that provider can read. */
  readonly opaque?: { readonly provider: string; readonly items: readonly JsonObject[] };
};
export type Retained =
  | { readonly kind: 'none' }
  | { readonly kind: 'from'; readonly messageId: string }
  | { readonly kind: 'listed'; readonly messages: readonly Pick<TranscriptMessage, 'role' | 'blocks'>[] };

/** Outputs of tools that the session's own agent has cleared: from then on its model saw a line in their place. */
export type TranscriptPruning = {
  /** The answered calls, all of which precede it. */
  readonly callIds: readonly string[];
  readonly createdAt?: IsoTime;
};

/** The output of a reader, in transcript order. A session is opened before its first message. */
export type TranscriptItem =
  | { readonly kind: 'session'; readonly session: TranscriptSession }
  | { readonly kind: 'message'; readonly sessionId: string; readonly message: TranscriptMessage }
  | { readonly kind: 'compaction'; readonly sessionId: string; readonly compaction: TranscriptCompaction }
  | { readonly kind: 'pruning'; readonly sessionId: string; readonly pruning: TranscriptPruning }
  /** The user has renamed the session. */
  | { readonly kind: 'title'; readonly sessionId: string; readonly title: string }
  /** A line (from 1) that could not be used, and why; never with its content. */
  | { readonly kind: 'skipped'; readonly line: number; readonly reason: string };

/**
 * One line of a file, without its end; `text` is `undefined` for bytes that are not UTF-8, or a line that is too
 * long.
 */
export type TranscriptLine = {
  readonly number: number;
  readonly text: string | undefined;
  readonly reason?: string;
};
