import type { ErasureTarget } from '@app/domain';
import type { SessionId, TenantId } from '@app/kernel';

/** The scope of a cleaning: these sessions, or one subject in them. */
export type ErasedContent = {
  readonly tenant: TenantId;
  readonly target: ErasureTarget;
  readonly sessions: readonly SessionId[];
  /** Those of them whose title, project and labels were erased. */
  readonly descriptions: readonly SessionId[];
};

/**
 * A place outside the log that can hold content in clear, or something that was derived from it. Everything that holds
 * content is in the one list of places that an erasure cleans.
 */
export interface ErasurePlace {
  /** As the receipt of an erasure names it. */
  readonly name: string;
  /** Removes erased content from the place and returns the number of items. Idempotent. */
  erase(content: ErasedContent): Promise<number>;
}
