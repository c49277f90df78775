import type { RequestedCompaction } from '@app/contract';
import {
  type ProfileSource,
  type RequestCompactionCommand,
  resolveProfile,
  type SessionState,
  type Trigger,
} from '@app/domain';
import { type CompactionId, invariant } from '@app/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOnSession } from '../command-and-query.js';
import { nextCompactionId } from '../sessions/compaction-id.js';
import { requireOpen } from '../sessions/require-open.js';
import type { SessionStore } from '../sessions/session-store.js';

export type CompactionRequest = {
  readonly trigger: Trigger;
  /** Profile for this compaction; by default that of the session. */
  readonly profile?: ProfileSource;
  readonly instructions?: string;
};
/** Requests a compaction, which a worker takes from the log. */
export class RequestCompaction extends CommandOnSession<CompactionRequest, RequestedCompaction> {}

@CommandHandler(RequestCompaction)
export class RequestCompactionHandler implements ICommandHandler<RequestCompaction> {
  constructor(private readonly sessions: SessionStore) {}

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
    const make = (now: SessionState): RequestCompactionCommand => {
      compactionId = nextCompactionId(ref.session, now);
      return { type: 'RequestCompaction', data: { ...data, compactionId } };
    };
    const wanted = { called: 'RequestCompaction', make } as const;
    const { state, events } = await this.sessions.execute(ref, wanted, caller);
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
