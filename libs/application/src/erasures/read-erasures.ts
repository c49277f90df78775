import type { ErasureView } from '@app/contract';
import { type Erasure, requireErasure } from '@app/domain';
import type { ErasureId, SubjectRef } from '@app/kernel';
import { pick } from '@app/kernel';
import { QueryOnTenant } from '../command-and-query.js';
import { Handler, HandlesQuery } from '../handlers.js';

/** The erasures of a tenant, the newest first, and how many people a new one takes. */
export class ListErasures extends QueryOnTenant<{
  readonly erasures: readonly ErasureView[];
  readonly people: 1 | 2;
}> {}

@HandlesQuery(ListErasures)
export class ListErasuresHandler extends Handler<ListErasures, 'ledgers'> {
  async execute({ tenant }: ListErasures) {
    const { ledger } = await this.parts.ledgers.load(tenant);
    return { erasures: [...ledger.erasures.values()].reverse().map(erasureView), people: ledger.people };
  }
}

export class ShowErasure extends QueryOnTenant<ErasureView, ErasureId> {}

@HandlesQuery(ShowErasure)
export class ShowErasureHandler extends Handler<ShowErasure, 'ledgers'> {
  /** @throws {AppError} `erasure-not-found`. */
  async execute({ tenant, input: erasure }: ShowErasure): Promise<ErasureView> {
    return erasureView(requireErasure((await this.parts.ledgers.load(tenant)).ledger, erasure));
  }
}

/** The fingerprints of data subjects by their names: nothing else of a name is ever recorded. */
export class FindSubjects extends QueryOnTenant<readonly SubjectRef[], readonly string[]> {}

@HandlesQuery(FindSubjects)
export class FindSubjectsHandler extends Handler<FindSubjects, 'keys'> {
  execute({ tenant, input: names }: FindSubjects): Promise<readonly SubjectRef[]> {
    return this.parts.keys.subjectRefs(tenant, names);
  }
}

export const erasureView = ({
  erasureId,
  approvedBy,
  deferred,
  completed,
  ...erasure
}: Erasure): ErasureView => ({
  erasure: erasureId,
  ...pick(erasure, 'state', 'target', 'reason'),
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
        ...pick(completed, 'counts', 'durationMs', 'completedAt'),
      }
    : null,
});
