import type { TokenCounter } from '@app/ports';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandOnSession } from '../../command-and-query.js';
import { HandlesCommand } from '../../handlers.js';
import { RunningChildren } from '../../sessions/running-children.js';
import { requireOpen } from '../../sessions/session-ref.js';
import type { SessionStore } from '../../sessions/session-store.js';

/** Closes a session permanently; it stays readable. */
export class CloseSession extends CommandOnSession<string, void> {}

@HandlesCommand(CloseSession, 'sessions', 'counter')
export class CloseSessionHandler implements ICommandHandler<CloseSession> {
  private readonly children: RunningChildren;

  constructor(
    private readonly sessions: SessionStore,
    counter: TokenCounter,
  ) {
    this.children = new RunningChildren(sessions, counter);
  }

  /**
   * Running children continue, and so does the parent, in which the end of this child is recorded. Repeating the command
   * completes a close that a crash interrupted between the two sessions.
   *
   * @throws {AppError} `session-not-found`.
   */
  async execute({ ref, input: reason, caller }: CloseSession): Promise<void> {
    const data = { sessionId: ref.session, reason };
    const { state } = await this.sessions.execute(ref, { type: 'CloseSession', data }, caller);
    const parent = requireOpen(ref, state).opened.parentSessionId;
    if (parent) await this.children.remove({ tenant: ref.tenant, session: parent }, ref.session, caller);
  }
}
