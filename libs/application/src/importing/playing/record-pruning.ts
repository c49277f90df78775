import type { TranscriptFormat, TranscriptPruning } from '@app/formats';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';

/** Takes over that the agent of an imported session has cleared outputs of its tools. */
export class RecordPruning extends Command<void> {
  constructor(
    readonly ref: SessionRef,
    readonly pruning: { readonly format: TranscriptFormat; readonly recorded: TranscriptPruning },
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(RecordPruning)
export class RecordPruningHandler implements ICommandHandler<RecordPruning> {
  constructor(private readonly sessions: SessionStore) {}

  /** @throws {AppError} `session-not-found`, `session-closed`. */
  async execute({ ref, pruning: { format, recorded }, caller }: RecordPruning): Promise<void> {
    const { callIds, createdAt } = recorded;
    const imported = { format, ...(createdAt !== undefined && { at: createdAt }) };
    const data = { sessionId: ref.session, callIds, imported };
    await this.sessions.execute(ref, { type: 'RecordPruning', data }, caller);
  }
}
