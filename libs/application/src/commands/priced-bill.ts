import {
  type CommandOf,
  costOf,
  type Message,
  type ProviderEdits,
  type RequestBill,
  tokenizerOf,
} from '@app/domain';
import type { Clock, ModelRegistry } from '@app/ports';
import type { SessionRef } from '../sessions/session-ref.js';

export type BillPricing = { readonly models: ModelRegistry; readonly clock: Clock };

/** A bill with its cost, and the initial ratio of billed to counted tokens of its model, in thousandths. */
export type PricedBill = Pick<CommandOf<'ReportUsage'>['data'], 'usage' | 'perThousand'>;

/** Prices a bill by the prices in force at the time of the answer if a recording has it, otherwise by current ones. */
export const pricedBill = async (
  { models, clock }: BillPricing,
  { tenant }: SessionRef,
  bill: RequestBill,
  messages: readonly Message[],
): Promise<PricedBill> => {
  const { createdAt } = messages.find(({ id }) => id === bill.messageId) ?? {};
  const catalog = await models.catalogFor(tenant);
  const cost = costOf(catalog, bill.model, bill.usage, createdAt ?? clock.now());
  const family = tokenizerOf(catalog, bill.model);
  const at = bill.source === 'transcript' && createdAt !== undefined && { at: createdAt };
  return { usage: { ...bill, ...at, cost }, ...(family && { perThousand: family.perThousand }) };
};

/** Returns the provider's context edits, with the cost of its own compaction at current prices. */
export const pricedEdits = async (
  { models, clock }: BillPricing,
  { tenant }: SessionRef,
  model: string,
  edits: ProviderEdits,
): Promise<ProviderEdits> => {
  const usage = edits.compaction?.usage;
  if (!usage) return edits;
  const cost = costOf(await models.catalogFor(tenant), model, usage, clock.now());
  return { ...edits, compaction: { usage, cost } };
};
