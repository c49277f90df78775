import { randomBytes } from 'node:crypto';
import type { ErasureView } from '@app/contract';
import { type ErasureTarget, requestErasure, requireErasure, sessionNotFound } from '@app/domain';
import { AppError, ErasureId, type SessionId, type TenantId } from '@app/kernel';
import { CommandOnTenant } from '../command-and-query.js';
import { Handler, HandlesCommand } from '../handlers.js';
import { erasureView } from './read-erasures.js';

/** The scope of a request, with the subject's name instead of its fingerprint. */
export type NamedTarget =
  | { readonly scope: 'subject'; readonly subject: string }
  | { readonly scope: 'session'; readonly session: SessionId }
  | { readonly scope: 'tenant' };

/** Erases content for good: of a data subject in all sessions, of a session, or of the whole tenant. */
export class RequestErasure extends CommandOnTenant<
  { readonly target: NamedTarget; readonly reason: string },
  ErasureView
> {}

@HandlesCommand(RequestErasure)
export class RequestErasureHandler extends Handler<
  RequestErasure,
  'ledgers' | 'runner' | 'keys' | 'sessions' | 'clock'
> {
  /**
   * Resolves when the erasure is completed, deferred, or waits for an approval. A subject that no content belongs to is
   * erased like any other: the answer does not reveal whether there was any.
   *
   * @throws {AppError} `session-not-found`; `invalid-request` for a reason that names the subject.
   */
  async execute({ tenant, input: { target, reason }, caller }: RequestErasure): Promise<ErasureView> {
    const { ledgers, runner, clock } = this.parts;
    const found = await this.targetOf(tenant, target, reason);
    const erasureId = newErasureId();
    const by = { requestedBy: caller.actor, requestedAt: clock.now() };
    const requested = { erasureId, target: found, reason, ...by };
    const { ledger } = await ledgers.record(tenant, (one) => requestErasure(one, requested), caller);
    const erasure = requireErasure(ledger, erasureId);
    if (erasure.state === 'awaiting-approval') return erasureView(erasure);
    return erasureView(await runner.carryOut(tenant, erasureId));
  }

  private async targetOf(tenant: TenantId, target: NamedTarget, reason: string): Promise<ErasureTarget> {
    if (target.scope === 'subject') {
      if (reason.toLowerCase().includes(target.subject.toLowerCase()))
        throw new AppError(
          'invalid-request',
          'the reason names the subject: give one without personal data, since the record of an erasure is kept for good',
        );
      const [subject] = await this.parts.keys.subjectRefs(tenant, [target.subject]);
      if (!subject) throw new AppError('invalid-request', 'name a subject');
      return { scope: 'subject', subject };
    }
    if (target.scope === 'session') {
      const { state } = await this.parts.sessions.load({ tenant, session: target.session });
      if (state.status === 'absent') throw sessionNotFound(target.session);
    }
    return target;
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const newErasureId = (): ErasureId =>
  ErasureId(`era_${[...randomBytes(16)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`);
