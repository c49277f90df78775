import {
  costOf,
  type Message,
  type ProviderEdits,
  type ReportUsageCommand,
  type RequestBill,
  tokenizerOf,
} from '@app/domain';
import type { Clock, ModelRegistry } from '@app/ports';
import type { SessionRef } from '../sessions/session-ref.js';

export type BillPricing = { readonly models: ModelRegistry; readonly clock: Clock };

/** A bill with its cost, and how the model's tokens relate to counted ones as long as nothing else is known. */
export type PricedBill = Pick<ReportUsageCommand['data'], 'usage' | 'perThousand'>;

/**
 * A bill with what it comes to: by the prices in force when the answer was given, where a recording says when that
 * was; otherwise by those of now.
 */
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

/** What a provider tells of its own context management, with what a compaction of its own has come to by now's prices. */
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
