/** Which part of a message; `byte` counts from 0 and `line` from 1, in the text of the block or result. */
export type MessagePart = {
  readonly block?: number;
  /** The result of a call, by the id of the call. */
  readonly call?: string;
  readonly byte?: number;
  readonly bytes?: number;
  readonly line?: number;
  readonly lines?: number;
};
/** A message as it was appended. */
export type StoredMessage = {
  /** Where it stands: for a fork, that may be the session that it was forked from. */
  readonly session: string;
  readonly id: string;
  readonly revision: number;
  readonly recordedAt: string;
  readonly role: 'user' | 'assistant' | 'system';
  readonly model?: string;
  readonly createdAt?: string;
  /** Written by the engine to continue interrupted work, or kept by an imported compaction. */
  readonly synthetic?: 'continuation' | 'restated';
  /** All of it, in counted tokens. */
  readonly countedTokens: number;
  /** Every block, or the one that was asked for; empty where a part of its text was. */
  readonly content: readonly object[];
  /** The index of the block that was asked for. */
  readonly block?: number;
  readonly part?: {
    readonly unit: 'bytes' | 'lines';
    readonly from: number;
    readonly count: number;
    /** All bytes, or lines, of the text. */
    readonly of: number;
    readonly text: string;
  };
};
/** The answer to a call of the tool `recall_history`: the text of its result. */
export type Recalled = {
  readonly content: string;
  readonly isError: boolean;
  /** The messages that are in the answer. */
  readonly messages: readonly string[];
};
/** A block of a message that contains the searched text. */
export type TextMatch = {
  /** The session that contains it; for a fork, it may be its source. */
  readonly session: string;
  readonly message: string;
  readonly revision: number;
  readonly recordedAt: string;
  readonly role: 'user' | 'assistant' | 'system';
  /** Index of the block in the message, from 0. */
  readonly block: number;
  /** The first match in the block with the characters around it. */
  readonly excerpt: string;
};
/** Matches, newest first. */
export type TextMatches = {
  readonly matches: readonly TextMatch[];
  /** Messages that the call has read. */
  readonly searched: number;
  /** Where the next call continues; `null` if the whole session was searched. */
  readonly before: string | null;
};
