import { type ApiKeyFacts, countsAt, type KeyChange } from '@app/domain';
import { type Actor, AppError, type IsoTime, type KeyId } from '@app/kernel';
import type { Clock, KeyUses } from '@app/ports';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOnTenant } from '../../command-and-query.js';
import type { TenantStore } from '../../tenants/tenant-store.js';

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

@QueryHandler(ListApiKeys)
export class ListApiKeysHandler implements IQueryHandler<ListApiKeys> {
  constructor(
    private readonly tenants: TenantStore,
    private readonly uses: KeyUses,
    private readonly clock: Clock,
  ) {}

  /** @throws {AppError} `tenant-not-found`. */
  async execute({ tenant }: ListApiKeys): Promise<readonly ListedApiKey[]> {
    const { state } = await this.tenants.load(tenant);
    if (state.status === 'absent') throw new AppError('tenant-not-found', `there is no tenant "${tenant}"`);
    const [used, now] = [await this.uses.of(tenant), this.clock.now()];
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
