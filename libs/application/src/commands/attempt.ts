import { type Bill, type Cost, costOf, type SessionState, sumCosts, type Usage } from '@app/domain';
import type { Actor, CompactionId, IsoTime, TenantId } from '@app/kernel';
import type { ModelRegistry } from '@app/ports';

/** An attempt of a compaction, as the worker that ran it reports its end. */
export type AttemptReport = {
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
export const pricedUsage = async (
  models: ModelRegistry,
  tenant: TenantId,
  { usage, bills = [], now }: AttemptReport,
): Promise<{ readonly usage?: Usage; readonly cost?: Cost }> => {
  if (!usage) return {};
  const catalog = await models.catalogFor(tenant);
  const cost = sumCosts(bills.map((bill) => costOf(catalog, bill.model, bill.usage, now)));
  return { usage, ...(cost && { cost }) };
};
