import {
  type ApiKeyFacts,
  countsAt,
  DEFAULT_TENANT_LIMITS,
  type KeyChange,
  OPERATOR_TENANT,
  type TenantLimits,
  type TenantSummarizers,
  withinCeilings,
} from '@app/domain';
import { type Actor, AppError, type IsoTime, type KeyId, TenantId, tenantStream } from '@app/kernel';
import type { ListedTenant, ReadModels, TenantPage } from '@app/ports';
import { Query, QueryOnTenant } from '../command-and-query.js';
import { Handler, HandlesQuery } from '../handlers.js';

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

@HandlesQuery(ListTenants)
export class ListTenantsHandler extends Handler<
  ListTenants,
  never,
  { readonly readModels: Pick<ReadModels, 'tenants'> }
> {
  /** @throws {AppError} `postgres-unavailable`. */
  async execute({ after, limit }: ListTenants): Promise<TenantPage> {
    const { items, next } = await this.parts.readModels.tenants({ ...(after && { after }), limit });
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

/** Returns a tenant from the log. */
export class ShowTenant extends QueryOnTenant<ListedTenant> {}

@HandlesQuery(ShowTenant)
export class ShowTenantHandler extends Handler<ShowTenant, 'tenants' | 'tenantLog'> {
  /** @throws {AppError} `tenant-not-found`. */
  async execute({ tenant }: ShowTenant): Promise<ListedTenant> {
    const { state } = await this.parts.tenants.load(tenant);
    if (state.status === 'absent')
      throw new AppError(
        'tenant-not-found',
        `there is no tenant "${tenant}": \`palimpsest tenants list\` or GET /v1/tenants names all`,
      );
    const { name, limits } = state;
    const first = this.parts.tenantLog.readForwards(tenantStream(tenant), { limit: 1 });
    for await (const { event, recordedAt, context } of first)
      if (event.type === 'TenantRegistered')
        return { tenant, name, registeredAt: recordedAt, registeredBy: context.actor, limits };
    return { tenant, name, registeredAt: null, registeredBy: null, limits };
  }
}

export type ListedApiKey = Omit<ApiKeyFacts, 'hash'> & {
  readonly state: 'active' | 'revoked' | 'expired';
  readonly issuedAt: IsoTime;
  readonly issuedBy: Actor;
  readonly replacedBy: KeyId | null;
  /** Actor and time of the rotation; `null` without one. */
  readonly rotation: KeyChange | null;
  readonly revocation: (KeyChange & { readonly reason: string }) | null;
  /** Precise to the minute; `null` if never used. */
  readonly lastUsedAt: IsoTime | null;
};

/** Lists the API keys of a tenant in the order of their creation. */
export class ListApiKeys extends QueryOnTenant<readonly ListedApiKey[]> {}

@HandlesQuery(ListApiKeys)
export class ListApiKeysHandler extends Handler<ListApiKeys, 'tenants' | 'uses' | 'clock'> {
  /** @throws {AppError} `tenant-not-found`. */
  async execute({ tenant }: ListApiKeys): Promise<readonly ListedApiKey[]> {
    const { state } = await this.parts.tenants.load(tenant);
    if (state.status === 'absent') throw new AppError('tenant-not-found', `there is no tenant "${tenant}"`);
    const [used, now] = [await this.parts.uses.of(tenant), this.parts.clock.now()];
    return state.keys.map(
      ({ hash: _, revoked, replacedBy = null, rotation = null, revocation = null, ...key }) => ({
        ...key,
        state: revoked ? 'revoked' : countsAt({ ...key, revoked }, now) ? 'active' : 'expired',
        replacedBy,
        rotation,
        revocation,
        lastUsedAt: used.get(key.keyId) ?? null,
      }),
    );
  }
}

/** Returns the rate limits of a tenant. */
export class GetLimits extends QueryOnTenant<TenantLimits> {}

@HandlesQuery(GetLimits)
export class GetLimitsHandler extends Handler<GetLimits, 'tenants' | 'ceilings'> {
  /** @throws {AppError} `tenant-not-found`. */
  async execute({ tenant }: GetLimits): Promise<TenantLimits> {
    const { state } = await this.parts.tenants.load(tenant);
    if (state.status === 'registered') return withinCeilings(state.limits, this.parts.ceilings);
    throw new AppError('tenant-not-found', `there is no tenant "${tenant}"`);
  }
}

/** Returns the configured summarizers of a tenant. */
export class GetSummarizers extends QueryOnTenant<TenantSummarizers> {}

@HandlesQuery(GetSummarizers)
export class GetSummarizersHandler extends Handler<GetSummarizers, 'tenants'> {
  /** @throws {AppError} `tenant-not-found`. */
  async execute({ tenant }: GetSummarizers): Promise<TenantSummarizers> {
    const { state } = await this.parts.tenants.load(tenant);
    if (state.status === 'registered') return state.summarizers;
    throw new AppError('tenant-not-found', `there is no tenant "${tenant}"`);
  }
}
