import {
  type ErasureBarrier,
  erasureBarrier,
  type LegalHold,
  NO_RETENTION,
  type RetentionPeriod,
  type TenantRetention,
} from '@app/domain';
import type { SessionId } from '@app/kernel';
import { QueryOnSession, QueryOnTenant } from '../command-and-query.js';
import { Handler, HandlesQuery } from '../handlers.js';
import { currentProtection } from '../retention/current-protection.js';
import { requireOpen } from '../sessions/session-ref.js';

/** The facts that forbid to erase a session. */
export type ProtectionView = {
  readonly session: SessionId;
  /** `null` without one, and after its end. */
  readonly period: RetentionPeriod | null;
  /** Oldest first. */
  readonly holds: readonly LegalHold[];
  /** The first of these facts; `null` if the session may be erased. */
  readonly barrier: ErasureBarrier | null;
};

/** Returns the retention period and the legal holds of a session from the log. */
export class ShowProtection extends QueryOnSession<ProtectionView> {}

@HandlesQuery(ShowProtection)
export class ShowProtectionHandler extends Handler<ShowProtection, 'sessions' | 'clock'> {
  /** @throws {AppError} `session-not-found`. */
  async execute({ ref }: ShowProtection): Promise<ProtectionView> {
    const { state } = await this.parts.sessions.load(ref);
    requireOpen(ref, state);
    const protection = await currentProtection(this.parts.sessions, ref);
    return {
      session: ref.session,
      period: protection.period ?? null,
      holds: protection.holds,
      barrier: erasureBarrier(protection, this.parts.clock.now()) ?? null,
    };
  }
}

/** Returns the defaults by which new sessions of a tenant are kept. */
export class GetRetentionDefaults extends QueryOnTenant<TenantRetention> {}

@HandlesQuery(GetRetentionDefaults)
export class GetRetentionDefaultsHandler extends Handler<GetRetentionDefaults, 'tenants'> {
  async execute({ tenant }: GetRetentionDefaults): Promise<TenantRetention> {
    const { state } = await this.parts.tenants.load(tenant);
    return state.status === 'registered' ? state.retention : NO_RETENTION;
  }
}
