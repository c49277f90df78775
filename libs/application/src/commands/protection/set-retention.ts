import type { RetentionMode, RetentionPeriod } from '@app/domain';
import { type IsoTime, invariant } from '@app/kernel';
import type { ErasableKeys } from '@app/ports';
import { CommandOnSession } from '../../command-and-query.js';
import { Handler, HandlesCommand } from '../../handlers.js';
import { extendingRetention } from '../../retention/current-protection.js';
import { requireOpen } from '../../sessions/session-ref.js';

export type RetentionInput = {
  readonly mode: RetentionMode;
  /** Content is kept at least until then. */
  readonly until: IsoTime;
  /** Why; required to shorten a period. */
  readonly reason?: string;
  /** Whether the caller has the permission `retention:shorten`. */
  readonly mayShorten: boolean;
};

/** Sets, lengthens or, in the mode `governance`, shortens the period in which a session is kept. */
export class SetRetention extends CommandOnSession<RetentionInput, RetentionPeriod> {}

@HandlesCommand(SetRetention)
export class SetRetentionHandler extends Handler<
  SetRetention,
  'sessions' | 'clock' | 'erasures',
  { readonly keys: Pick<ErasableKeys, 'protecting'> }
> {
  /** @throws {AppError} `session-not-found`, `retention-locked`, `invalid-settings`, `erasure-in-progress`. */
  async execute({ ref, input, caller }: SetRetention): Promise<RetentionPeriod> {
    const { state } = await this.parts.keys.protecting(ref.tenant, ref.session, () => {
      const said = { by: caller.actor, now: this.parts.clock.now() };
      const data = { sessionId: ref.session, ...input, ...said };
      const extending = extendingRetention(this.parts.sessions, ref, said);
      return this.parts.sessions.executeAll(ref, [extending, { type: 'SetRetention', data }], caller);
    });
    if (input.reason !== undefined) await this.parts.erasures.retry(ref.tenant, new Set([ref.session]));
    const { period } = requireOpen(ref, state).protection;
    invariant(period, 'a period that was set is in force');
    return period;
  }
}

/** Removes the period in which a session is kept, which only the mode `governance` permits. */
export class RemoveRetention extends CommandOnSession<
  { readonly reason: string; readonly mayShorten: boolean },
  { readonly removed: boolean }
> {}

@HandlesCommand(RemoveRetention)
export class RemoveRetentionHandler extends Handler<RemoveRetention, 'sessions' | 'clock' | 'erasures'> {
  /** @throws {AppError} `session-not-found`, `retention-locked`. */
  async execute({ ref, input, caller }: RemoveRetention): Promise<{ readonly removed: boolean }> {
    const said = { by: caller.actor, now: this.parts.clock.now() };
    const data = { sessionId: ref.session, ...input, ...said };
    const extending = extendingRetention(this.parts.sessions, ref, said);
    const commands = [extending, { type: 'RemoveRetention', data } as const];
    const { events } = await this.parts.sessions.executeAll(ref, commands, caller);
    await this.parts.erasures.retry(ref.tenant, new Set([ref.session]));
    return { removed: events.some(({ type }) => type === 'RetentionPeriodRemoved') };
  }
}
