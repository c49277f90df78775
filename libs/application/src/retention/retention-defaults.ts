import { NO_RETENTION, type RetentionDefault, retentionFor, type TenantRetention } from '@app/domain';
import type { TenantId } from '@app/kernel';
import type { TenantStore } from '../tenants/tenant-store.js';
import { TenantValues } from '../tenants/tenant-values.js';

/** The retention of new sessions by the defaults of their tenants, cached. */
export class RetentionDefaults {
  private readonly defaults: TenantValues<TenantRetention>;

  constructor(tenants: TenantStore) {
    this.defaults = new TenantValues(tenants, (state) =>
      state.status === 'registered' ? state.retention : NO_RETENTION,
    );
  }

  /** Returns the members of a command that opens a session with a profile of this name. */
  async membersFor(tenant: TenantId, profile: string): Promise<{ readonly retention?: RetentionDefault }> {
    const retention = retentionFor(await this.defaults.get(tenant), profile);
    return retention ? { retention } : {};
  }
}
