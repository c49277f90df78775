import { GetLimits } from '@app/application';
import type { TenantLimits } from '@app/domain';
import { BoundedMap, LATE, type TenantId, within } from '@app/kernel';
import type { QueryBus } from '@nestjs/cqrs';

/** Milliseconds after which a changed limit takes effect at the latest, as long as the log answers. */
const KNOWN_FOR_MS = 5_000;
/** Milliseconds to wait for current limits where earlier ones are known. */
const REFRESH_WITHIN_MS = 500;
const TENANTS_MAX = 10_000;

type Known = {
  readonly limits: Promise<TenantLimits>;
  /** The result of `limits`, once there is one. */
  readonly found?: TenantLimits;
  /** Those before, which apply while the log does not answer. */
  readonly earlier: TenantLimits | undefined;
  readonly until: number;
};

/** Cache of the rate limits of tenants. */
export class KnownLimits {
  private readonly known = new BoundedMap<TenantId, Known>(TENANTS_MAX);

  constructor(private readonly queries: Pick<QueryBus, 'execute'>) {}

  async of(tenant: TenantId): Promise<TenantLimits> {
    const { limits, found, earlier } = this.current(tenant);
    if (found !== undefined) return found;
    if (earlier === undefined) return limits;
    const refreshed = await within(REFRESH_WITHIN_MS, limits).catch((): typeof LATE => LATE);
    return refreshed === LATE ? earlier : refreshed;
  }

  private current(tenant: TenantId): Known {
    const now = performance.now();
    const known = this.known.get(tenant);
    if (known && known.until > now) return known;
    const limits = this.queries.execute(new GetLimits(tenant));
    const next = { limits, earlier: known?.earlier, until: now + KNOWN_FOR_MS };
    this.known.set(tenant, next);
    limits.then(
      (found) => this.settle(tenant, next, found),
      () => this.settle(tenant, next, next.earlier),
    );
    return next;
  }

  private settle(tenant: TenantId, asked: Known, found: TenantLimits | undefined): void {
    if (this.known.get(tenant) !== asked) return;
    if (found === undefined) this.known.delete(tenant);
    else this.known.set(tenant, { ...asked, found, earlier: found });
  }
}
