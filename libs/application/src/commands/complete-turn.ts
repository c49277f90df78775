import type { Revision } from '@app/kernel';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requireOpen } from '../sessions/require-open.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller, SessionStore } from '../sessions/session-store.js';
import { newCompactionId } from './compaction-id.js';

/** Ends the current turn of a session; where its profile looks at the budget after a turn, that is done at once. */
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
    const ended = await this.sessions.execute(ref, { type: 'CompleteTurn', data }, caller);
    if (requireOpen(ref, ended.state).profile.checkedAt !== 'turn') return { revision: ended.revision };
    // A command of its own: what a crash in between leaves undone, the check before the next request does.
    const check = { sessionId: ref.session, compactionId: newCompactionId() };
    const { revision } = await this.sessions.execute(ref, { type: 'CheckBudget', data: check }, caller);
    return { revision };
  }
}
