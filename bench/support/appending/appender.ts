import type { SessionRef } from '@app/application';
import type { Message } from '@app/domain';

/** Appends one message, and resolves when it is on disk. */
export type Append = () => Promise<void>;

/** A way of appending. */
export type Appender = {
  /** Begins a session, and prepares what is to be appended to it: one after another, each when the one before is done. */
  prepare(ref: SessionRef, messages: readonly Message[]): Promise<readonly Append[]>;
  close(): Promise<void>;
};
