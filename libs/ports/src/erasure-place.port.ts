import type { ErasureTarget } from '@app/domain';
import type { SessionId, TenantId } from '@app/kernel';

/** What was erased: the keys of these sessions, all of them or those of one subject. */
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
  /** Removes what the place holds of erased content; returns the number of items. May be repeated. */
  erase(content: ErasedContent): Promise<number>;
}
