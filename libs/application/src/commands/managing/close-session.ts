import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';

/** Ends a session for good; it can be read for ever. */
export class CloseSession extends Command<void> {
  constructor(
    readonly ref: SessionRef,
    readonly reason: string,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(CloseSession)
export class CloseSessionHandler implements ICommandHandler<CloseSession> {
  constructor(private readonly sessions: SessionStore) {}

  /** @throws {AppError} `session-not-found`. */
  async execute({ ref, reason, caller }: CloseSession): Promise<void> {
    await this.sessions.execute(
      ref,
      { type: 'CloseSession', data: { sessionId: ref.session, reason } },
      caller,
    );
  }
}
