import {
  allSubjects,
  contextSubjects,
  type Limits,
  type OpenSession as OpenState,
  type Pin,
  renderPin,
} from '@app/domain';
import { AppError, PinId, type SessionId, type SubjectRef, Tokens } from '@app/kernel';
import type { TokenCounter } from '@app/ports';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandOnSession } from '../../command-and-query.js';
import { HandlesCommand } from '../../handlers.js';
import { countedAhead, countFixed } from '../../sessions/count-message.js';
import { customerOf } from '../../sessions/customer-of.js';
import { RunningChildren } from '../../sessions/running-children.js';
import { requireOpen, type SessionRef } from '../../sessions/session-ref.js';
import type { Caller } from '../../sessions/session-store.js';
import { type OpeningParts, type OpenSessionInput, openingOf } from './open-session.js';

export type ChildInput = Omit<OpenSessionInput, 'parentSessionId'> & {
  readonly parent: SessionId;
  /** Task of the child, which is pinned. */
  readonly mandate?: string;
};

/** Opens a session as the running child of another one. */
export class OpenChildSession extends CommandOnSession<ChildInput, { readonly limits: Limits }> {}

@HandlesCommand(OpenChildSession)
export class OpenChildSessionHandler implements ICommandHandler<OpenChildSession> {
  private readonly children: RunningChildren;

  constructor(private readonly parts: OpeningParts) {
    this.children = new RunningChildren(parts.sessions, parts.counter);
  }

  /**
   * Opens the child first and then records it in the parent. Repeating the command completes an open that a crash interrupted
   * between the two sessions.
   *
   * @throws {AppError} as {@link OpenSession}; `session-not-found` and `session-closed` of the parent, too.
   */
  execute(command: OpenChildSession): Promise<{ readonly limits: Limits }> {
    return this.parts.sessions.copying(() => this.open(command));
  }

  private async open({ ref, input, caller }: OpenChildSession): Promise<{ readonly limits: Limits }> {
    const { parent, mandate, ...own } = input;
    const parentRef = { tenant: ref.tenant, session: parent };
    const { state: before } = await this.parts.sessions.load(parentRef);
    if (requireOpen(parentRef, before).closed) throw closed(parentRef);
    const catalog = await this.parts.models.catalogFor(ref.tenant);
    const customer = await customerOf(this.parts.keys, ref.tenant, own.labels);
    const counter = await countedAhead(this.parts.counter, ref.tenant, (listener) => {
      countFixed(listener, own.systemPrompt, own.tools);
      if (mandate !== undefined) mandateOf(mandate, listener);
    });
    const { data } = openingOf(
      ref,
      {
        ...own,
        ...inherited(own.subjects, requireOpen(parentRef, before)),
        ...(customer && { customer }),
        parentSessionId: parent,
      },
      counter,
      catalog,
      this.parts.clock?.now(),
    );
    const kept = await this.parts.retention?.membersFor(ref.tenant, data.profile.name);
    const pinned = mandate === undefined ? {} : { mandate: mandateOf(mandate, counter) };
    const { state } = await this.parts.sessions.execute(
      ref,
      { type: 'OpenSession', data: { ...data, ...pinned, ...kept } },
      caller,
    );
    if (!requireOpen(ref, state).closed) await this.tell(parentRef, ref, caller);
    return { limits: data.limits };
  }

  /** Records the child in its parent, unless either has been closed meanwhile. */
  private async tell(parent: SessionRef, child: SessionRef, caller: Caller): Promise<void> {
    const { state: told } = await this.children.add(parent, child.session, caller);
    if (requireOpen(parent, told).closed) {
      const data = { sessionId: child.session, reason: `its parent "${parent.session}" was closed` };
      await this.parts.sessions.execute(child, { type: 'CloseSession', data }, caller);
      throw closed(parent);
    }
    const { state } = await this.parts.sessions.load(child);
    if (requireOpen(child, state).closed) await this.children.remove(parent, child.session, caller);
  }
}

const mandateOf = (text: string, counter: TokenCounter): Pin => {
  const pin = { pinId: PinId('mandate'), kind: 'mandate' as const, text };
  return { ...pin, tokens: Tokens(counter.count(renderPin(pin))) };
};

/** A mandate may quote anything of the parent: all content of the child belongs to the parent's subjects as well. */
const inherited = (
  own: readonly SubjectRef[] | undefined,
  parent: OpenState,
): { readonly subjects?: readonly SubjectRef[] } => {
  const subjects = allSubjects([own, contextSubjects(parent)]);
  return subjects.length > 0 ? { subjects } : {};
};

const closed = ({ session }: SessionRef): AppError =>
  new AppError('session-closed', `session "${session}" is closed: open the child under an open session`);
