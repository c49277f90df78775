import { type Actor, AppError, type ErasureId, type IsoTime } from '@app/kernel';
import type { ErasureTarget, LedgerEvent, TenantEventOf } from './events.js';

type ErasureState = 'awaiting-approval' | 'deferred' | 'in-progress' | 'completed' | 'withdrawn';

/** An erasure as the ledger tells it. */
export type Erasure = {
  readonly erasureId: ErasureId;
  readonly target: ErasureTarget;
  readonly reason: string;
  readonly requestedBy: Actor;
  readonly requestedAt: IsoTime;
  readonly state: ErasureState;
  readonly approvedBy: Actor | undefined;
  readonly deferred:
    | Pick<TenantEventOf<'ErasureDeferred'>['data'], 'because' | 'session' | 'until'>
    | undefined;
  readonly completed: TenantEventOf<'ErasureCompleted'>['data'] | undefined;
};

/** All erasures of a tenant, in the order of their requests, and the policy for new ones. */
export type Ledger = {
  readonly erasures: ReadonlyMap<ErasureId, Erasure>;
  readonly people: 1 | 2;
};
export const emptyLedger: Ledger = { erasures: new Map(), people: 1 };

/** Folds the ledger's events. */
export const foldLedger = (start: Ledger, events: Iterable<LedgerEvent>): Ledger => {
  const erasures = new Map(start.erasures);
  let { people } = start;
  for (const event of events) {
    if (event.type === 'ErasurePolicyChanged') people = event.data.people;
    else {
      const before = erasures.get(event.data.erasureId);
      const after = erasureAfter(before, event);
      if (after) erasures.set(after.erasureId, after);
    }
  }
  return { erasures, people };
};

type ErasureEvent = Exclude<LedgerEvent, { readonly type: 'ErasurePolicyChanged' }>;

const erasureAfter = (before: Erasure | undefined, event: ErasureEvent): Erasure | undefined => {
  switch (event.type) {
    case 'ErasureRequested': {
      const { needsApproval, ...requested } = event.data;
      const state = needsApproval ? 'awaiting-approval' : 'in-progress';
      return { ...requested, state, approvedBy: undefined, deferred: undefined, completed: undefined };
    }
    case 'ErasureApproved':
      return before && { ...before, state: 'in-progress', approvedBy: event.data.approvedBy };
    case 'ErasureWithdrawn':
      return before && { ...before, state: 'withdrawn' };
    case 'ErasureDeferred':
      return before && { ...before, state: 'deferred', deferred: event.data };
    case 'ErasureCompleted':
      return before && { ...before, state: 'completed', deferred: undefined, completed: event.data };
  }
};

type Requested = Pick<Erasure, 'erasureId' | 'target' | 'reason' | 'requestedBy' | 'requestedAt'>;

/** Returns the request of an erasure, which waits for another person where the policy wants two. */
export const requestErasure = (ledger: Ledger, requested: Requested): LedgerEvent => ({
  type: 'ErasureRequested',
  data: { ...requested, ...(ledger.people === 2 && { needsApproval: true }) },
});

/** @throws {AppError} `erasure-not-found`, `erasure-not-pending`, `approval-by-requester`. */
export const approveErasure = (
  ledger: Ledger,
  erasureId: ErasureId,
  approvedBy: Actor,
  approvedAt: IsoTime,
): LedgerEvent => {
  const erasure = requireErasure(ledger, erasureId);
  if (erasure.state !== 'awaiting-approval') throw notPending(erasure, 'awaiting-approval');
  if (erasure.requestedBy === approvedBy)
    throw new AppError(
      'approval-by-requester',
      `erasure ${erasureId} was requested with this key: another person has to approve it, with a key of their own`,
    );
  return { type: 'ErasureApproved', data: { erasureId, approvedBy, approvedAt } };
};

/** @throws {AppError} `erasure-not-found`, `erasure-not-pending` once anything may have been erased. */
export const withdrawErasure = (
  ledger: Ledger,
  erasureId: ErasureId,
  { reason, by, now }: { readonly reason: string; readonly by: Actor; readonly now: IsoTime },
): LedgerEvent => {
  const erasure = requireErasure(ledger, erasureId);
  if (erasure.state !== 'awaiting-approval' && erasure.state !== 'deferred')
    throw notPending(erasure, 'awaiting-approval or deferred');
  return { type: 'ErasureWithdrawn', data: { erasureId, reason, withdrawnBy: by, withdrawnAt: now } };
};

export const requireErasure = (ledger: Ledger, erasureId: ErasureId): Erasure => {
  const erasure = ledger.erasures.get(erasureId);
  if (erasure) return erasure;
  throw new AppError(
    'erasure-not-found',
    `there is no erasure "${erasureId}": \`palimpsest erasures\` lists those there are`,
  );
};

const notPending = ({ erasureId, state }: Erasure, wanted: string): AppError =>
  new AppError(
    'erasure-not-pending',
    `erasure ${erasureId} is ${state}, and this takes one that is ${wanted}`,
  );
