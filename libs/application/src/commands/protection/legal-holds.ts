import type { LegalHold } from '@app/domain';
import { invariant, type MatterName } from '@app/kernel';
import type { ErasableKeys } from '@app/ports';
import { CommandOnSession } from '../../command-and-query.js';
import { Handler, HandlesCommand } from '../../handlers.js';
import { requireOpen } from '../../sessions/session-ref.js';

/** Forbids to erase a session until the hold is released, regardless of retention periods. */
export class PlaceLegalHold extends CommandOnSession<
  { readonly matter: MatterName; readonly reason: string },
  LegalHold
> {}

@HandlesCommand(PlaceLegalHold)
export class PlaceLegalHoldHandler extends Handler<
  PlaceLegalHold,
  'sessions' | 'clock',
  { readonly keys: Pick<ErasableKeys, 'protecting'> }
> {
  /** @throws {AppError} `session-not-found`, `too-many-holds`, `erasure-in-progress`. */
  async execute({ ref, input: hold, caller }: PlaceLegalHold): Promise<LegalHold> {
    const { state } = await this.parts.keys.protecting(ref.tenant, ref.session, () => {
      const data = { sessionId: ref.session, ...hold, by: caller.actor, now: this.parts.clock.now() };
      return this.parts.sessions.execute(ref, { type: 'PlaceLegalHold', data }, caller);
    });
    const placed = requireOpen(ref, state).protection.holds.find(({ matter }) => matter === hold.matter);
    invariant(placed, 'a hold that was placed is in force');
    return placed;
  }
}

/** Ends a legal hold. Other holds and the retention period of the session stay. */
export class ReleaseLegalHold extends CommandOnSession<
  { readonly matter: MatterName; readonly reason: string },
  { readonly holds: readonly LegalHold[] }
> {}

@HandlesCommand(ReleaseLegalHold)
export class ReleaseLegalHoldHandler extends Handler<ReleaseLegalHold, 'sessions' | 'clock' | 'erasures'> {
  /** Returns the holds that remain; erasures that nothing else defers are carried out. @throws {AppError} `session-not-found`, `hold-not-found`. */
  async execute({
    ref,
    input: release,
    caller,
  }: ReleaseLegalHold): Promise<{ readonly holds: readonly LegalHold[] }> {
    const data = { sessionId: ref.session, ...release, by: caller.actor, now: this.parts.clock.now() };
    const { state } = await this.parts.sessions.execute(ref, { type: 'ReleaseLegalHold', data }, caller);
    await this.parts.erasures.retry(ref.tenant, new Set([ref.session]));
    return { holds: requireOpen(ref, state).protection.holds };
  }
}
