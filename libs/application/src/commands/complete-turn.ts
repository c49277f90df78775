import type { CompactionId, Revision } from '@app/kernel';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requireOpen } from '../sessions/require-open.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller, SessionStore } from '../sessions/session-store.js';

export type CompletedTurn = {
  readonly revision: Revision | undefined;
  readonly turn: number;
  /** `false` where none was going on. */
  readonly completed: boolean;
  /** The compaction that has waited for the end of the turn, and is asked for now. */
  readonly compactionId: CompactionId | undefined;
};

/** Ends the current turn of a session. */
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
    const { revision, state, events } = await this.sessions.execute(
      ref,
      { type: 'CompleteTurn', data },
      caller,
    );
    const requested = events.find((event) => event.type === 'CompactionRequested');
    return {
      revision,
      turn: requireOpen(ref, state).turn,
      completed: events.length > 0,
      compactionId: requested?.data.compactionId,
    };
  }
}
