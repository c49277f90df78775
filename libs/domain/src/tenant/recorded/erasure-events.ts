import type { Actor, ErasureId, Event, IsoTime, SessionId, SubjectRef } from '@app/kernel';

/** The scope of an erasure: a subject by its fingerprint, a session, or everything of the tenant. */
export type ErasureTarget =
  | { readonly scope: 'subject'; readonly subject: SubjectRef }
  | { readonly scope: 'session'; readonly session: SessionId }
  | { readonly scope: 'tenant' };

/** Content is to be erased. `reason` is a text without personal data: the ledger is never erased. */
export type ErasureRequested = Event<
  'ErasureRequested',
  {
    erasureId: ErasureId;
    target: ErasureTarget;
    reason: string;
    requestedBy: Actor;
    requestedAt: IsoTime;
    /** Set if another person has to approve it first. */
    needsApproval?: true;
  }
>;

/** A second person agrees. */
export type ErasureApproved = Event<
  'ErasureApproved',
  { erasureId: ErasureId; approvedBy: Actor; approvedAt: IsoTime }
>;

/** It will not be carried out; nothing was erased. */
export type ErasureWithdrawn = Event<
  'ErasureWithdrawn',
  { erasureId: ErasureId; reason: string; withdrawnBy: Actor; withdrawnAt: IsoTime }
>;

/** Something forbids it for now: `because` names it. Nothing was erased, and it is tried again. */
export type ErasureDeferred = Event<
  'ErasureDeferred',
  {
    erasureId: ErasureId;
    because: string;
    /** The end, if it is known. */
    until?: IsoTime;
    deferredAt: IsoTime;
  }
>;

/**
 * The keys are destroyed, and no place holds the content in clear: the receipt. Carried out again wherever an older backup
 * brings the keys back.
 */
export type ErasureCompleted = Event<
  'ErasureCompleted',
  {
    erasureId: ErasureId;
    target: ErasureTarget;
    /** Ids of the destroyed keys, which are in the member `sealed` of the events; empty for a whole tenant. */
    keys: readonly string[];
    /** The id of the tenant's destroyed key, for a whole tenant. */
    tenantKey?: string;
    /** Numbers of destroyed keys, of sessions, and of removed items by place. */
    counts: {
      readonly keys: number;
      readonly sessions: number;
      readonly places: Readonly<Record<string, number>>;
    };
    durationMs: number;
    completedAt: IsoTime;
  }
>;

/** Number of people for an erasure: 2 if another person has to approve it. */
export type ErasurePolicyChanged = Event<
  'ErasurePolicyChanged',
  { people: 1 | 2; changedBy: Actor; changedAt: IsoTime }
>;
