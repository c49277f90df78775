import {
  type AttemptError,
  type Bill,
  type CommandOf,
  type Cost,
  continuationOf,
  costOf,
  type SessionState,
  type SummarizerIdentity,
  sumCosts,
  type Usage,
} from '@app/domain';
import type { Actor, CompactionId, IsoTime, TenantId } from '@app/kernel';
import type { ModelRegistry } from '@app/ports';
import { CommandOnSession } from '../command-and-query.js';
import { Handler, HandlesCommand } from '../handlers.js';
import { countMessage } from '../sessions/count-message.js';

/** An attempt of a compaction, as the worker that ran it reports its end. */
type AttemptReport = {
  readonly compactionId: CompactionId;
  readonly attempt: number;
  readonly worker: Actor;
  /** The end of the attempt by the worker's clock. */
  readonly now: IsoTime;
  readonly usage?: Usage;
  /** The usage of each call, by which the attempt is priced. */
  readonly bills?: readonly Bill[];
};

/**
 * `ended`: the compaction has an outcome. `taken-over`: another worker runs a later attempt. `failed`: the next attempt may
 * be started.
 */
export type AttemptOutcome = 'ended' | 'taken-over' | 'failed';

/** Returns how an attempt stands in its session. */
export const attemptOutcome = (
  state: SessionState,
  compactionId: CompactionId,
  attempt: number,
): AttemptOutcome | 'running' => {
  const compaction = state.status === 'open' ? state.compaction : undefined;
  if (compaction?.compactionId !== compactionId) return 'ended';
  if (compaction.attempt !== attempt) return 'taken-over';
  return compaction.running ? 'running' : 'failed';
};

/** Returns the usage of an attempt with its cost at the current prices; nothing for an attempt without usage. */
const pricedUsage = async (
  models: ModelRegistry,
  tenant: TenantId,
  { usage, bills = [], now }: AttemptReport,
): Promise<{ readonly usage?: Usage; readonly cost?: Cost }> => {
  if (!usage) return {};
  const catalog = await models.catalogFor(tenant);
  const cost = sumCosts(bills.map((bill) => costOf(catalog, bill.model, bill.usage, now)));
  return { usage, ...(cost && { cost }) };
};

export type CompletedAttempt = AttemptReport &
  Pick<CommandOf<'CompleteCompaction'>['data'], 'summary' | 'native' | 'durationMs'> & {
    readonly summarizer: SummarizerIdentity;
  };

/** Verifies the result of an attempt and applies it; an invalid result fails the attempt. */
export class CompleteCompaction extends CommandOnSession<CompletedAttempt, AttemptOutcome> {}

@HandlesCommand(CompleteCompaction)
export class CompleteCompactionHandler extends Handler<
  CompleteCompaction,
  'sessions' | 'counter' | 'models'
> {
  /** Records nothing if another worker runs a later attempt or the compaction has ended. */
  async execute({ ref, input: completed, caller }: CompleteCompaction): Promise<AttemptOutcome> {
    const { usage: _, bills: __, ...result } = completed;
    const { compactionId, attempt } = result;
    const paid = await pricedUsage(this.parts.models, ref.tenant, completed);
    const make = (state: SessionState): CommandOf<'CompleteCompaction'> => {
      const isContinued = state.status === 'open' && state.compaction?.profile.autoContinue;
      const continuation = isContinued && countMessage(this.parts.counter, continuationOf(compactionId));
      const data = { sessionId: ref.session, ...result, ...paid, ...(continuation && { continuation }) };
      return { type: 'CompleteCompaction', data };
    };
    const { state } = await this.parts.sessions.execute(ref, { called: 'CompleteCompaction', make }, caller);
    const outcome = attemptOutcome(state, compactionId, attempt);
    return outcome === 'running' ? 'failed' : outcome;
  }
}

export type FailedAttempt = AttemptReport &
  Pick<CommandOf<'FailAttempt'>['data'], 'error' | 'retryAt' | 'giveUp'>;

/** Records that an attempt has failed; the last attempt fails its compaction. */
export class FailAttempt extends CommandOnSession<FailedAttempt, AttemptOutcome> {}

@HandlesCommand(FailAttempt)
export class FailAttemptHandler extends Handler<FailAttempt, 'sessions' | 'models'> {
  /** Records nothing if another worker runs a later attempt or the compaction has ended. */
  async execute({ ref, input: failed, caller }: FailAttempt): Promise<AttemptOutcome> {
    const { usage: _, bills: __, ...failure } = failed;
    const paid = await pricedUsage(this.parts.models, ref.tenant, failed);
    const data = { sessionId: ref.session, ...failure, ...paid };
    const { state } = await this.parts.sessions.execute(ref, { type: 'FailAttempt', data }, caller);
    const outcome = attemptOutcome(state, failure.compactionId, failure.attempt);
    return outcome === 'running' ? 'failed' : outcome;
  }
}

export type CompactionFailure = {
  readonly compactionId: CompactionId;
  readonly error: AttemptError;
  /** By the worker's clock. */
  readonly now: IsoTime;
};

/** Fails a compaction before its first attempt: a hook that fails closed has not answered. */
export class FailCompaction extends CommandOnSession<CompactionFailure, void> {}

@HandlesCommand(FailCompaction)
export class FailCompactionHandler extends Handler<FailCompaction, 'sessions'> {
  /** Records nothing if the compaction has ended. */
  async execute({ ref, input: failure, caller }: FailCompaction): Promise<void> {
    const data = { sessionId: ref.session, ...failure };
    await this.parts.sessions.execute(ref, { type: 'FailCompaction', data }, caller);
  }
}
