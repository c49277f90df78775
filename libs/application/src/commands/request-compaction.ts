import { type ProfileSource, resolveProfile, type SkipReason, type Trigger } from '@app/domain';
import type { CompactionId } from '@app/kernel';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requireOpen } from '../sessions/require-open.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller, SessionStore } from '../sessions/session-store.js';
import { newCompactionId } from './compaction-id.js';

export type CompactionRequest = {
  readonly trigger: Trigger;
  /** Another policy than the session's, for this one compaction. */
  readonly profile?: ProfileSource;
  readonly instructions?: string;
};
export type RequestedCompaction =
  /** `joined` where one was asked for or under way already: its outcome serves this request too. */
  | { readonly status: 'requested' | 'joined'; readonly compactionId: CompactionId }
  | { readonly status: 'skipped'; readonly compactionId: CompactionId; readonly reason: SkipReason };

/** Asks for a compaction; a worker takes it from the log. */
export class RequestCompaction extends Command<RequestedCompaction> {
  constructor(
    readonly ref: SessionRef,
    readonly request: CompactionRequest,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(RequestCompaction)
export class RequestCompactionHandler implements ICommandHandler<RequestCompaction> {
  constructor(private readonly sessions: SessionStore) {}

  /** @throws {AppError} `session-not-found`, `unknown-profile`. */
  async execute({ ref, request, caller }: RequestCompaction): Promise<RequestedCompaction> {
    const { trigger, profile, instructions } = request;
    const compactionId = newCompactionId();
    const data = {
      sessionId: ref.session,
      compactionId,
      trigger,
      ...(profile !== undefined && { profile: resolveProfile(profile) }),
      ...(instructions !== undefined && { instructions }),
    };
    const { state, events } = await this.sessions.execute(ref, { type: 'RequestCompaction', data }, caller);
    const skipped = events.find((event) => event.type === 'CompactionSkipped');
    if (skipped) return { status: 'skipped', compactionId, reason: skipped.data.reason };
    if (events.length > 0) return { status: 'requested', compactionId };
    const running = requireOpen(ref, state).compaction;
    return { status: 'joined', compactionId: running?.compactionId ?? compactionId };
  }
}
