import type { Forked } from '@app/contract';
import { initialState } from '@app/domain';
import { AppError, type AsOf, type IsoTime, invariant, type SessionId } from '@app/kernel';
import type { Clock } from '@app/ports';
import { CommandOnSession } from '../../command-and-query.js';
import { Handler, type HandlerParts, HandlesCommand } from '../../handlers.js';
import { nextCompactionId } from '../../sessions/ids.js';
import { holdToRevision } from '../../sessions/request-scope.js';
import { requireOpen, streamOf } from '../../sessions/session-ref.js';

/** Opens a session with the context of another one, now or as of a revision. */
export class ForkSession extends CommandOnSession<{ readonly at?: AsOf; readonly as: SessionId }, Forked> {}

@HandlesCommand(ForkSession)
export class ForkSessionHandler extends Handler<
  ForkSession,
  'sessions',
  Partial<Pick<HandlerParts, 'clock' | 'retention'>>
> {
  /** @throws {AppError} `session-not-found`, `revision-not-found`, `request-not-found`, `session-already-open`. */
  execute(command: ForkSession): Promise<Forked> {
    return this.parts.sessions.copying(() => this.fork(command));
  }

  private async fork({ ref, input: request, caller }: ForkSession): Promise<Forked> {
    holdToRevision(caller.request, streamOf(ref), (await this.parts.sessions.load(ref)).revision);
    const { state, revision } = await this.parts.sessions.loadAsOf(ref, request.at);
    const source = requireOpen(ref, state);
    invariant(revision !== undefined, 'an open session has a revision');
    const from = { sessionId: ref.session, revision };
    const kept = await this.parts.retention?.membersFor(ref.tenant, source.policy.name);
    const compactionId = nextCompactionId(request.as, initialState);
    const data = { sessionId: request.as, compactionId, from, source, ...kept, ...nowBy(this.parts.clock) };
    const target = { tenant: ref.tenant, session: request.as };
    const { events } = await this.parts.sessions.execute(target, { type: 'ForkSession', data }, caller);
    const forked = events.find((event) => event.type === 'SessionForked');
    if (!forked) throw new AppError('internal', `the fork of ${ref.session} was not recorded`);
    const messages = events.filter((event) => event.type === 'MessageAppended').length;
    return { session: request.as, from: forked.data.from, messages, occupancy: forked.data.occupancyAfter };
  }
}

const nowBy = (clock: Clock | undefined): { readonly now?: IsoTime } => (clock ? { now: clock.now() } : {});
