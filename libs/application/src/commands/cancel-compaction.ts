import type { CompactionId } from '@app/kernel';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller, SessionStore } from '../sessions/session-store.js';

export type Cancelled = {
  readonly compactionId: CompactionId;
  /** `false` if the compaction has ended or was never requested. */
  readonly cancelled: boolean;
};

/** Cancels a requested, deferred or running compaction; the context is unchanged. */
export class CancelCompaction extends Command<Cancelled> {
  constructor(
    readonly ref: SessionRef,
    readonly request: {
      readonly compactionId: CompactionId;
      readonly reason: string;
      /** Default: `caller`. */
      readonly by?: 'caller' | 'hook';
    },
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(CancelCompaction)
export class CancelCompactionHandler implements ICommandHandler<CancelCompaction> {
  constructor(private readonly sessions: SessionStore) {}

  /** @throws {AppError} `session-not-found`. */
  async execute({ ref, request, caller }: CancelCompaction): Promise<Cancelled> {
    const data = { sessionId: ref.session, ...request };
    const { events } = await this.sessions.execute(ref, { type: 'CancelCompaction', data }, caller);
    const cancelled = events.some((event) => event.type === 'CompactionCancelled');
    return { compactionId: request.compactionId, cancelled };
  }
}
