import { costOf, type Message, type UsageReported } from '@app/domain';
import type { Clock, ModelRegistry } from '@app/ports';
import type { SessionRef } from '../sessions/session-ref.js';

type Bill = UsageReported['data'];
export type BillPricing = { readonly models: ModelRegistry; readonly clock: Clock };

/**
 * A bill with what it comes to: by the prices in force when the answer was given, where a recording says when that
 * was; otherwise by those of now.
 */
export const pricedBill = async (
  { models, clock }: BillPricing,
  { tenant }: SessionRef,
  bill: Bill,
  messages: readonly Message[],
): Promise<Bill> => {
  const { createdAt } = messages.find(({ id }) => id === bill.messageId) ?? {};
  const cost = costOf(await models.catalogFor(tenant), bill.model, bill.usage, createdAt ?? clock.now());
  return { ...bill, cost };
};
