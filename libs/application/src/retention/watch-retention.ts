import { erasureBarrier } from '@app/domain';
import type { Actor, SessionId, TenantId } from '@app/kernel';
import type { Clock, DueRetention, ReadModels } from '@app/ports';
import { type EveryMinute, everyMinute } from '../every-minute.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { SessionStore } from '../sessions/session-store.js';
import { extendingRetention } from './current-protection.js';

export type RetentionWatchOptions = EveryMinute & {
  readonly readModels: Pick<ReadModels, 'dueRetentions'>;
  readonly sessions: SessionStore;
  /**
   * Requests the erasure of a session's content because its retention has ended; again without effect. Resolves to `false` if
   * the session may not be erased after all.
   */
  readonly erase: (ref: SessionRef, actor: Actor) => Promise<boolean>;
  /** Tries the erasures again that the periods of these sessions have deferred. */
  readonly retry: (tenant: TenantId, ended: ReadonlySet<SessionId>) => Promise<void>;
  /** Actor of the recorded changes. */
  readonly worker: Actor;
  readonly clock: Clock;
};

/**
 * Ends retention periods whose date has come, and moves the dates of periods that count from the newest event, until `signal`
 * aborts. The schedule is in the rows, so that it survives restarts; several watchers may run concurrently.
 */
export const watchRetention = (options: RetentionWatchOptions, signal: AbortSignal): Promise<void> =>
  everyMinute(options, signal, () => endDueRetentions(options));

/** Ends the periods of all due sessions, and retries their deferred erasures. */
export const endDueRetentions = async (options: Omit<RetentionWatchOptions, 'pause'>): Promise<void> => {
  const { readModels, clock, retry, onError } = options;
  const ended = new Map<TenantId, Set<SessionId>>();
  for await (const due of readModels.dueRetentions(clock.now())) {
    try {
      if (await look(options, due))
        ended.set(due.tenant, (ended.get(due.tenant) ?? new Set()).add(due.session));
    } catch (error) {
      onError(error);
    }
  }
  for (const [tenant, sessions] of ended) await retry(tenant, sessions).catch(onError);
};

/**
 * Returns whether the period has ended, be it that the erasure of the session waits for an approval. The erasure comes before the
 * end is recorded: if the process dies in between, the period is still due, and the erasure is requested again without effect.
 */
const look = async (
  { sessions, erase, worker, clock }: Omit<RetentionWatchOptions, 'pause'>,
  { tenant, session }: DueRetention,
): Promise<boolean> => {
  const [ref, caller, now] = [{ tenant, session }, { actor: worker }, clock.now()];
  const extending = extendingRetention(sessions, ref, { by: worker, now });
  const { state } = await sessions.execute(ref, extending, caller);
  if (state.status !== 'open' || !state.protection.period || erasureBarrier(state.protection, now))
    return false;
  if (await erase(ref, worker))
    await sessions.execute(ref, { type: 'EndRetention', data: { sessionId: session, now } }, caller);
  return true;
};
