import { type OpenSession, type Pin, renderPin, type SessionCommand, type SessionState } from '@app/domain';
import { AppError, PinId, SessionId, Tokens } from '@app/kernel';
import type { TokenCounter } from '@app/ports';
import type { SessionRef } from './session-ref.js';
import type { Caller, Executed, SessionStore } from './session-store.js';

/** Pin that lists the IDs of running children, one per line. */
const CHILDREN = PinId('running-children');

/** Manages the list of running children of a session. */
export class RunningChildren {
  constructor(
    private readonly sessions: SessionStore,
    private readonly counter: TokenCounter,
  ) {}

  add(parent: SessionRef, child: SessionId, caller: Caller): Promise<Executed> {
    return this.change(parent, (ids) => (ids.includes(child) ? ids : [...ids, child]), caller);
  }

  remove(parent: SessionRef, child: SessionId, caller: Caller): Promise<Executed> {
    return this.change(parent, (ids) => ids.filter((id) => id !== child), caller);
  }

  /**
   * The pin is computed from the state that the command is decided on, so that concurrent changes are not lost. A closed or
   * missing parent is unchanged.
   */
  private change(
    parent: SessionRef,
    change: (ids: readonly SessionId[]) => readonly SessionId[],
    caller: Caller,
  ): Promise<Executed> {
    return this.sessions.execute(parent, (state) => this.commandFor(parent, state, change), caller);
  }

  private commandFor(
    { session: sessionId }: SessionRef,
    state: SessionState,
    change: (ids: readonly SessionId[]) => readonly SessionId[],
  ): SessionCommand | undefined {
    if (state.status !== 'open' || state.closed) return undefined;
    const before = idsIn(state);
    const after = change(before);
    if (after.join() === before.join()) return undefined;
    if (after.length === 0) return { type: 'UnpinContent', data: { sessionId, pinId: CHILDREN } };
    const content: Omit<Pin, 'tokens'> = { pinId: CHILDREN, kind: 'children', text: after.join('\n') };
    const pin = { ...content, tokens: Tokens(this.counter.count(renderPin(content))) };
    return { type: 'PinContent', data: { sessionId, pin } };
  }
}

/** Returns the IDs in the order of opening; other lines, pinned manually, are skipped. */
const idsIn = ({ pins }: OpenSession): readonly SessionId[] =>
  (pins.find(({ pinId }) => pinId === CHILDREN)?.text.split('\n') ?? []).flatMap(idOrNothing);

const idOrNothing = (line: string): readonly SessionId[] => {
  try {
    return [SessionId(line)];
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
};
