import type { SessionRef } from '@app/application';
import type { Message } from '@app/domain';

/** Appends one message, and resolves when it is on disk. */
export type Append = () => Promise<void>;

/** A way of appending. */
export type Appender = {
  /** Opens a session, and prepares its appends, which run one after another. */
  prepare(ref: SessionRef, messages: readonly Message[]): Promise<readonly Append[]>;
  close(): Promise<void>;
};
