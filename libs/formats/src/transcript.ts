import type { Block, Message } from '@app/domain';
import type { IsoTime, JsonObject } from '@app/kernel';

export type TranscriptFormat =
  | 'claude-code'
  | 'pi'
  | 'codex'
  | 'opencode'
  | 'gemini-cli'
  | 'copilot-cli'
  | 'openhands'
  | 'swe-agent'
  | 'openai-messages'
  | 'openai-responses'
  | 'anthropic-messages';

/** A session as its transcript names it. A side chain is a session of its own, under the one that started it. */
export type TranscriptSession = {
  /** The transcript's own id, or, where it has none, one derived from its first messages. */
  readonly id: string;
  readonly parentId?: string;
  readonly model?: string;
  /** The system prompt, where it stands outside the messages. */
  readonly system?: string;
  readonly tools?: readonly JsonObject[];
};

/** What a provider billed for one model call, as the transcript recorded it. */
export type TranscriptUsage = {
  readonly model?: string;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
};

export type TranscriptMessage = {
  /** The transcript's own id of the message, unique within the session; derived from its place where it has none. */
  readonly id: string;
  readonly role: Message['role'];
  readonly blocks: readonly Block[];
  readonly model?: string;
  readonly createdAt?: IsoTime;
  readonly usage?: TranscriptUsage;
};

/** What a reader yields, in the order of the transcript. A session is opened before its first message. */
export type TranscriptItem =
  | { readonly kind: 'session'; readonly session: TranscriptSession }
  | { readonly kind: 'message'; readonly sessionId: string; readonly message: TranscriptMessage }
  /** A line (from 1) that could not be used, and why; never with its content. */
  | { readonly kind: 'skipped'; readonly line: number; readonly reason: string };

/** One line of a file, without its end; `text` is `undefined` where the bytes are not UTF-8 or the line is too long. */
export type TranscriptLine = {
  readonly number: number;
  readonly text: string | undefined;
  readonly reason?: string;
};
