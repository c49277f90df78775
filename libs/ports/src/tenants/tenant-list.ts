import type { TenantLimits } from '@app/domain';
import type { Actor, IsoTime, TenantId } from '@app/kernel';

/** A tenant as its newest projected event left it. */
export type ListedTenant = {
  readonly tenant: TenantId;
  readonly name: string;
  /** `null` for the operator's, which is there from the beginning. */
  readonly registeredAt: IsoTime | null;
  readonly registeredBy: Actor | null;
  readonly limits: TenantLimits;
};

export type TenantPageRequest = {
  /** The last one of the page before. */
  readonly after?: TenantId;
  /** At most 1,000. */
  readonly limit: number;
};
export type TenantPage = {
  readonly items: readonly ListedTenant[];
  /** The last one of this page, where another page follows; `null` on the last page. */
  readonly next: TenantId | null;
};
