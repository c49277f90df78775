import type { Erasure, ErasureState, ErasureTarget } from '@app/domain';

/** An erasure as callers see it. */
export type ErasureView = {
  readonly erasure: string;
  readonly state: ErasureState;
  readonly target: ErasureTarget;
  readonly reason: string;
  readonly requestedBy: string;
  readonly requestedAt: string;
  readonly approvedBy: string | null;
  readonly deferred: { readonly because: string; readonly until: string | null } | null;
  readonly receipt: {
    readonly keys: readonly string[];
    readonly tenantKey: string | null;
    readonly counts: {
      readonly keys: number;
      readonly sessions: number;
      readonly places: Readonly<Record<string, number>>;
    };
    readonly durationMs: number;
    readonly completedAt: string;
  } | null;
};

export const erasureView = ({
  erasureId,
  approvedBy,
  deferred,
  completed,
  ...erasure
}: Erasure): ErasureView => ({
  erasure: erasureId,
  ...{ state: erasure.state, target: erasure.target, reason: erasure.reason },
  ...{ requestedBy: erasure.requestedBy, requestedAt: erasure.requestedAt },
  approvedBy: approvedBy ?? null,
  deferred:
    erasure.state === 'deferred' && deferred
      ? { because: deferred.because, until: deferred.until ?? null }
      : null,
  receipt: completed
    ? {
        keys: completed.keys,
        tenantKey: completed.tenantKey ?? null,
        ...{ counts: completed.counts, durationMs: completed.durationMs, completedAt: completed.completedAt },
      }
    : null,
});
