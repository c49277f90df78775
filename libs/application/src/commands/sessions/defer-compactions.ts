import type { HoldUntil } from '@app/domain';
import type { CompactionId } from '@app/kernel';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandOnSession } from '../../command-and-query.js';
import { type HandlerParts, HandlesCommand } from '../../handlers.js';

/** Defers automatic compactions of a session while requests still fit. */
export class DeferCompactions extends CommandOnSession<
  { readonly until: HoldUntil; readonly reason: string },
  void
> {}

@HandlesCommand(DeferCompactions)
export class DeferCompactionsHandler implements ICommandHandler<DeferCompactions> {
  constructor(private readonly parts: Pick<HandlerParts, 'sessions'>) {}

  /** @throws {AppError} `session-not-found`, `session-closed`; `invalid-settings` without a reason. */
  async execute({ ref, input: hold, caller }: DeferCompactions): Promise<void> {
    const data = { sessionId: ref.session, by: caller.actor, ...hold };
    await this.parts.sessions.execute(ref, { type: 'DeferCompactions', data }, caller);
  }
}

export type Released = {
  /** `false` if no hold was active. */
  readonly released: boolean;
  /** The deferred compaction that is requested now. */
  readonly compactionId: CompactionId | undefined;
};

/** Resumes automatic compactions of a session. */
export class ReleaseCompactions extends CommandOnSession<string, Released> {}

@HandlesCommand(ReleaseCompactions)
export class ReleaseCompactionsHandler implements ICommandHandler<ReleaseCompactions> {
  constructor(private readonly parts: Pick<HandlerParts, 'sessions'>) {}

  /** @throws {AppError} `session-not-found`, `session-closed`. */
  async execute({ ref, input: reason, caller }: ReleaseCompactions): Promise<Released> {
    const data = { sessionId: ref.session, by: caller.actor, reason };
    const { events } = await this.parts.sessions.execute(ref, { type: 'ReleaseCompactions', data }, caller);
    const requested = events.find((event) => event.type === 'CompactionRequested');
    return { released: events.length > 0, compactionId: requested?.data.compactionId };
  }
}
