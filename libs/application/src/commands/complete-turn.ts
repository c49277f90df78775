import type { Revision } from '@app/kernel';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller, SessionStore } from '../sessions/session-store.js';

/** Ends the current turn of a session. */
export class CompleteTurn extends Command<{ readonly revision: Revision | undefined }> {
  constructor(
    readonly ref: SessionRef,
    readonly stopReason: string,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(CompleteTurn)
export class CompleteTurnHandler implements ICommandHandler<CompleteTurn> {
  constructor(private readonly sessions: SessionStore) {}

  /** @throws {AppError} `session-not-found`. */
  async execute({
    ref,
    stopReason,
    caller,
  }: CompleteTurn): Promise<{ readonly revision: Revision | undefined }> {
    const data = { sessionId: ref.session, stopReason };
    const { revision } = await this.sessions.execute(ref, { type: 'CompleteTurn', data }, caller);
    return { revision };
  }
}
