import type { ResetDone } from '@app/contract';
import type { CommandOf, SessionState } from '@app/domain';
import type { IsoTime } from '@app/kernel';
import type { Clock } from '@app/ports';
import { CommandOnSession } from '../../command-and-query.js';
import { Handler, type HandlerParts, HandlesCommand } from '../../handlers.js';
import { nextCompactionId } from '../../sessions/ids.js';

/** Clears the context down to the current user input. Requires a confirmation; the log keeps all messages. */
export class ResetSession extends CommandOnSession<
  { readonly reason: string; readonly confirm: boolean },
  ResetDone
> {}

@HandlesCommand(ResetSession)
export class ResetSessionHandler extends Handler<
  ResetSession,
  'sessions',
  Partial<Pick<HandlerParts, 'clock'>>
> {
  /** @throws {AppError} `session-not-found`, `session-closed`, `confirmation-required`. */
  async execute({ ref, input: request, caller }: ResetSession): Promise<ResetDone> {
    const timed = nowBy(this.parts.clock);
    const make = (now: SessionState): CommandOf<'ResetSession'> => {
      const compactionId = nextCompactionId(ref.session, now);
      return { type: 'ResetSession', data: { sessionId: ref.session, compactionId, ...request, ...timed } };
    };
    const { events } = await this.parts.sessions.execute(ref, { called: 'ResetSession', make }, caller);
    const reset = events.find((event) => event.type === 'SessionReset');
    const { session } = ref;
    if (!reset) return { session, reset: false };
    const { compactionId, clearedMessages, ...data } = reset.data;
    const { countedBefore, countedAfter, billedBefore, billedAfter } = data;
    const sizes = { countedBefore, countedAfter, billedBefore, billedAfter };
    return { session, reset: true, compactionId, clearedMessages, ...sizes };
  }
}

const nowBy = (clock: Clock | undefined): { readonly now?: IsoTime } => (clock ? { now: clock.now() } : {});
