import type { Revision, Tokens } from '@app/kernel';
import type { Message } from '../message/index.js';

/** A message at its position in the session. */
export type Entry = {
  readonly message: Message;
  readonly revision: Revision;
  /** The message as a part of a request, and each of its blocks. */
  readonly tokens: Tokens;
  readonly blockTokens: readonly Tokens[];
  /** Turn number from 1; 0 before the first turn. */
  readonly turn: number;
  /** How many messages were appended before it. */
  readonly position: number;
};
