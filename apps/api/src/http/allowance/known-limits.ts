import { GetLimits } from '@app/application';
import type { TenantLimits } from '@app/domain';
import type { TenantId } from '@app/kernel';
import type { QueryBus } from '@nestjs/cqrs';

/** Milliseconds after which a changed limit takes effect at the latest. */
const KNOWN_FOR_MS = 5_000;
const TENANTS_MAX = 10_000;

type Known = { readonly limits: Promise<TenantLimits>; readonly until: number };

/** Cache of the rate limits of tenants. */
export class KnownLimits {
  private readonly known = new Map<TenantId, Known>();

  constructor(private readonly queries: Pick<QueryBus, 'execute'>) {}

  of(tenant: TenantId): Promise<TenantLimits> {
    const now = performance.now();
    const known = this.known.get(tenant);
    if (known && known.until > now) return known.limits;
    const limits = this.queries.execute(new GetLimits(tenant));
    if (this.known.size >= TENANTS_MAX) this.known.clear();
    this.known.set(tenant, { limits, until: now + KNOWN_FOR_MS });
    limits.catch(() => this.known.delete(tenant));
    return limits;
  }
}
