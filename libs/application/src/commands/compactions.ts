import type { RequestedCompaction } from '@app/contract';
import {
  type CommandOf,
  type EventData,
  type ProfileSource,
  resolveProfile,
  type SessionState,
  type Trigger,
} from '@app/domain';
import { AppError, type CompactionId, invariant } from '@app/kernel';
import { CommandOnSession } from '../command-and-query.js';
import { Handler, HandlesCommand } from '../handlers.js';
import { nextCompactionId } from '../sessions/ids.js';
import { requireOpen } from '../sessions/session-ref.js';

export type CompactionRequest = {
  readonly trigger: Trigger;
  /** Profile for this compaction; by default that of the session. */
  readonly profile?: ProfileSource;
  readonly instructions?: string;
};
/** Requests a compaction, which a worker takes from the log. */
export class RequestCompaction extends CommandOnSession<CompactionRequest, RequestedCompaction> {}

@HandlesCommand(RequestCompaction)
export class RequestCompactionHandler extends Handler<RequestCompaction, 'sessions'> {
  /** @throws {AppError} `session-not-found`, `session-closed`, `unknown-profile`, `turn-in-progress`. */
  async execute({ ref, input: request, caller }: RequestCompaction): Promise<RequestedCompaction> {
    const { trigger, profile, instructions } = request;
    const data = {
      sessionId: ref.session,
      trigger,
      by: caller.actor,
      ...(profile !== undefined && { profile: resolveProfile(profile) }),
      ...(instructions !== undefined && { instructions }),
    };
    // The ID of a new compaction, if this request needs one.
    let compactionId: CompactionId | undefined;
    const make = (now: SessionState): CommandOf<'RequestCompaction'> => {
      compactionId = nextCompactionId(ref.session, now);
      return { type: 'RequestCompaction', data: { ...data, compactionId } };
    };
    const wanted = { called: 'RequestCompaction', make } as const;
    const { state, events } = await this.parts.sessions.execute(ref, wanted, caller);
    invariant(compactionId, 'a request has been decided on');
    const skipped = events.find((event) => event.type === 'CompactionSkipped');
    if (skipped) return { status: 'skipped', compactionId, reason: skipped.data.reason };
    const requested = events.find((event) => event.type === 'CompactionRequested');
    if (requested) return { status: 'requested', compactionId: requested.data.compactionId };
    const { compaction, deferred } = requireOpen(ref, state);
    if (!compaction && deferred) return { status: 'deferred', compactionId: deferred.compactionId };
    return { status: 'joined', compactionId: compaction?.compactionId ?? compactionId };
  }
}

export type Cancelled = {
  readonly compactionId: CompactionId;
  /** `false` if the compaction has ended or was never requested. */
  readonly cancelled: boolean;
};

/** Cancels a requested, deferred or running compaction; the context is unchanged. */
export class CancelCompaction extends CommandOnSession<
  {
    readonly compactionId: CompactionId;
    readonly reason: string;
    /** Default: `caller`. */
    readonly by?: 'caller' | 'hook';
  },
  Cancelled
> {}

@HandlesCommand(CancelCompaction)
export class CancelCompactionHandler extends Handler<CancelCompaction, 'sessions'> {
  /** @throws {AppError} `session-not-found`. */
  async execute({ ref, input: request, caller }: CancelCompaction): Promise<Cancelled> {
    const data = { sessionId: ref.session, ...request };
    const { events } = await this.parts.sessions.execute(ref, { type: 'CancelCompaction', data }, caller);
    const cancelled = events.some((event) => event.type === 'CompactionCancelled');
    return { compactionId: request.compactionId, cancelled };
  }
}

export type Reverted = EventData<'CompactionReverted'>;

/** Reverts the newest compaction or reset of a session; a given ID must match it. */
export class RevertCompaction extends CommandOnSession<
  { readonly compactionId?: CompactionId; readonly reason: string },
  Reverted
> {}

@HandlesCommand(RevertCompaction)
export class RevertCompactionHandler extends Handler<RevertCompaction, 'sessions'> {
  /** @throws {AppError} `session-not-found`, `session-closed`, `compaction-not-revertible`. */
  async execute({ ref, input: request, caller }: RevertCompaction): Promise<Reverted> {
    const origin = await this.parts.sessions.revisionBefore(ref, 'RevertCompaction', caller);
    const { state } = await this.parts.sessions.load(ref, origin);
    const compactionId = request.compactionId ?? requireOpen(ref, state).pivot?.compactionId;
    if (!compactionId) {
      throw new AppError('compaction-not-revertible', `session "${ref.session}" has no compaction to revert`);
    }
    const without = await this.parts.sessions.loadWithout(ref, compactionId);
    const data = { sessionId: ref.session, compactionId, reason: request.reason, without };
    const { events } = await this.parts.sessions.execute(ref, { type: 'RevertCompaction', data }, caller);
    const reverted = events.find((event) => event.type === 'CompactionReverted');
    if (reverted) return reverted.data;
    throw new AppError('compaction-not-revertible', `${compactionId} is already reverted`);
  }
}
