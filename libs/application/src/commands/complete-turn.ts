import type { CompactionId, Revision } from '@app/kernel';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requireOpen } from '../sessions/require-open.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller, Executed, SessionStore } from '../sessions/session-store.js';
import { newCompactionId } from './compaction-id.js';

export type CompletedTurn = {
  readonly revision: Revision | undefined;
  readonly turn: number;
  /** `false` where none was going on. */
  readonly completed: boolean;
  /** The compaction that has waited for the end of the turn, and is asked for now. */
  readonly compactionId: CompactionId | undefined;
};

/** Ends the current turn of a session; where its profile looks at the budget after a turn, that is done at once. */
export class CompleteTurn extends Command<CompletedTurn> {
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

  /** @throws {AppError} `session-not-found`, `session-closed`. */
  async execute({ ref, stopReason, caller }: CompleteTurn): Promise<CompletedTurn> {
    const data = { sessionId: ref.session, stopReason };
    const ended = await this.sessions.execute(ref, { type: 'CompleteTurn', data }, caller);
    const checked = await this.checked(ref, ended, caller);
    const events = [...ended.events, ...checked.events];
    const requested = events.find((event) => event.type === 'CompactionRequested');
    return {
      revision: checked.revision,
      turn: requireOpen(ref, checked.state).turn,
      completed: ended.events.length > 0,
      compactionId: requested?.data.compactionId,
    };
  }

  /** A command of its own: what a crash in between leaves undone, the check before the next request does. */
  private async checked(ref: SessionRef, ended: Executed, caller: Caller): Promise<Executed> {
    if (requireOpen(ref, ended.state).profile.checkedAt !== 'turn') return { ...ended, events: [] };
    const data = { sessionId: ref.session, compactionId: newCompactionId() };
    return this.sessions.execute(ref, { type: 'CheckBudget', data }, caller);
  }
}
