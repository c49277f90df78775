import type { MessageId } from '@app/kernel';

/** The answer to a call of the recall tool: the text of its result. */
export type Recalled = {
  readonly content: string;
  /** Whether the call could not be answered: `content` says why, and which arguments would do. */
  readonly isError: boolean;
  /** The messages that are in the answer. */
  readonly messages: readonly MessageId[];
};
