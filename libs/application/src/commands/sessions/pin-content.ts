import { type Pin, type PinKind, renderPin } from '@app/domain';
import { type PinId, Tokens } from '@app/kernel';
import { CommandOnSession } from '../../command-and-query.js';
import { Handler, HandlesCommand } from '../../handlers.js';
import { countedAhead } from '../../sessions/count-message.js';
import { requireOpen } from '../../sessions/session-ref.js';

/** Pins content to a session, replacing a pin with the same ID; returns all pins. */
export class PinContent extends CommandOnSession<
  { readonly pinId: PinId; readonly kind: PinKind; readonly text: string },
  readonly Pin[]
> {}

@HandlesCommand(PinContent)
export class PinContentHandler extends Handler<PinContent, 'sessions' | 'counter'> {
  /** @throws {AppError} `session-not-found`, `session-closed`. */
  async execute({ ref, input: pin, caller }: PinContent): Promise<readonly Pin[]> {
    const text = renderPin(pin);
    const counter = await countedAhead(this.parts.counter, ref.tenant, (listener) => listener.count(text));
    const tokens = Tokens(counter.count(text));
    const data = { sessionId: ref.session, pin: { ...pin, tokens } };
    const { state } = await this.parts.sessions.execute(ref, { type: 'PinContent', data }, caller);
    return requireOpen(ref, state).pins;
  }
}

/** Removes a pin; returns the remaining pins. */
export class UnpinContent extends CommandOnSession<PinId, readonly Pin[]> {}

@HandlesCommand(UnpinContent)
export class UnpinContentHandler extends Handler<UnpinContent, 'sessions'> {
  /** @throws {AppError} `session-not-found`, `session-closed`, `pin-not-found`. */
  async execute({ ref, input: pinId, caller }: UnpinContent): Promise<readonly Pin[]> {
    const data = { sessionId: ref.session, pinId };
    const { state } = await this.parts.sessions.execute(ref, { type: 'UnpinContent', data }, caller);
    return requireOpen(ref, state).pins;
  }
}
