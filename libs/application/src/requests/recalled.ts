import type { MessageId } from '@app/kernel';

/** Result of a call of the recall tool. */
export type Recalled = {
  readonly content: string;
  /** Whether the call failed; `content` then gives the reason and the valid arguments. */
  readonly isError: boolean;
  /** Messages in the answer. */
  readonly messages: readonly MessageId[];
};
