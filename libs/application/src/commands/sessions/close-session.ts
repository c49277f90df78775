import { CommandOnSession } from '../../command-and-query.js';
import { Handler, HandlesCommand } from '../../handlers.js';
import { RunningChildren } from '../../sessions/running-children.js';
import { requireOpen } from '../../sessions/session-ref.js';

/** Closes a session permanently; it stays readable. */
export class CloseSession extends CommandOnSession<string, void> {}

@HandlesCommand(CloseSession)
export class CloseSessionHandler extends Handler<CloseSession, 'sessions' | 'counter'> {
  /**
   * Running children continue, and so does the parent, in which the end of this child is recorded. Repeating the command
   * completes a close that a crash interrupted between the two sessions.
   *
   * @throws {AppError} `session-not-found`.
   */
  async execute({ ref, input: reason, caller }: CloseSession): Promise<void> {
    const { sessions, counter } = this.parts;
    const data = { sessionId: ref.session, reason };
    const { state } = await sessions.execute(ref, { type: 'CloseSession', data }, caller);
    const parent = requireOpen(ref, state).opened.parentSessionId;
    if (!parent) return;
    const children = new RunningChildren(sessions, counter);
    await children.remove({ tenant: ref.tenant, session: parent }, ref.session, caller);
  }
}
