import { DEFAULT_TENANT_LIMITS, OPERATOR_TENANT } from '@app/domain';
import { TenantId } from '@app/kernel';
import type { ListedTenant, ReadModels, TenantPage } from '@app/ports';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';

/** Lists a page of all tenants by ID. */
export class ListTenants extends Query<TenantPage> {
  constructor(
    /** ID before the first one of the page; absent for the first page. */
    readonly after?: TenantId,
    /** Maximum tenants of the page, up to 1,000. */
    readonly limit: number = 100,
  ) {
    super();
  }
}

@QueryHandler(ListTenants)
export class ListTenantsHandler implements IQueryHandler<ListTenants> {
  constructor(private readonly readModels: Pick<ReadModels, 'tenants'>) {}

  /** @throws {AppError} `postgres-unavailable`. */
  async execute({ after, limit }: ListTenants): Promise<TenantPage> {
    const { items, next } = await this.readModels.tenants({ ...(after && { after }), limit });
    const isBehind = after !== undefined && OPERATOR_TENANT <= after;
    const isLater = next !== null && OPERATOR_TENANT > next;
    if (isBehind || isLater || items.some(({ tenant }) => tenant === OPERATOR_TENANT)) return { items, next };
    // The operator's tenant has no row until its first event.
    const all = [...items, UNRECORDED_OPERATOR].sort((a, b) => (a.tenant < b.tenant ? -1 : 1));
    const shown = all.slice(0, limit);
    const last = shown.at(-1);
    return { items: shown, next: all.length > limit && last ? TenantId(last.tenant) : next };
  }
}

/** The operator's tenant exists without a registration. */
const UNRECORDED_OPERATOR: ListedTenant = {
  tenant: OPERATOR_TENANT,
  name: 'Operator',
  registeredAt: null,
  registeredBy: null,
  limits: DEFAULT_TENANT_LIMITS,
};
