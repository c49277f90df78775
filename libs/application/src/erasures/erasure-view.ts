import type { ErasureView } from '@app/contract';
import type { Erasure } from '@app/domain';

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
