import type { ErasureTarget } from '@app/domain';
import type { IsoTime, SessionId, TenantId } from '@app/kernel';

/** Why content may not be erased now: a legal hold or a retention period, by its name, its session, and its end if it has one. */
export type ErasureObstacle = {
  readonly because: string;
  readonly session?: SessionId;
  readonly until?: IsoTime;
};

/**
 * Returns the hold or retention period that forbids an erasure; `undefined` without one. Called before the keys are destroyed, at the request and
 * at each later try. A deferred erasure is tried again by `HeldBackErasures`, when the hold or the period ends.
 *
 * @param sessions the sessions of the erasure; all sessions of the tenant by default.
 */
export type ErasureGuard = (asked: {
  readonly tenant: TenantId;
  readonly target: ErasureTarget;
  readonly sessions?: readonly SessionId[];
}) => Promise<ErasureObstacle | undefined>;
