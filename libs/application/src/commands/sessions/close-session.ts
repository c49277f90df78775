import type { TokenCounter } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requireOpen } from '../../sessions/require-open.js';
import { RunningChildren } from '../../sessions/running-children.js';
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
  private readonly children: RunningChildren;

  constructor(
    private readonly sessions: SessionStore,
    counter: TokenCounter,
  ) {
    this.children = new RunningChildren(sessions, counter);
  }

  /**
   * Children that are running go on, and so does the parent, which hears that this one has ended. To close it again mends what
   * a crash has left between the two.
   *
   * @throws {AppError} `session-not-found`.
   */
  async execute({ ref, reason, caller }: CloseSession): Promise<void> {
    const data = { sessionId: ref.session, reason };
    const { state } = await this.sessions.execute(ref, { type: 'CloseSession', data }, caller);
    const parent = requireOpen(ref, state).opened.parentSessionId;
    if (parent) await this.children.remove({ tenant: ref.tenant, session: parent }, ref.session, caller);
  }
}
