import type { Message } from '@app/domain';
import type { JsonObject, TenantId } from '@app/kernel';
import type { TokenCounter } from '@app/ports';
import { countFixed, countMessage } from './count-message.js';

/**
 * Returns a counter with the results that `count` needs, computed in slices so that other requests are not blocked.
 *
 * @param count called once, with a counter that only collects texts.
 */
export const countedAhead = async (
  counter: TokenCounter,
  tenant: TenantId,
  count: (listener: TokenCounter) => unknown,
): Promise<TokenCounter> => {
  if (!counter.ahead) return counter;
  const texts: string[] = [];
  const listen = (text: string): number => {
    texts.push(text);
    return 0;
  };
  count({ estimator: counter.estimator, count: listen });
  return counter.ahead(texts, tenant);
};

/** Returns a counter with the counts of messages. */
export const counterForMessages = (
  counter: TokenCounter,
  tenant: TenantId,
  messages: readonly Message[],
): Promise<TokenCounter> =>
  countedAhead(counter, tenant, (listener) => {
    for (const message of messages) countMessage(listener, message);
  });

/** Returns a counter with the counts of system prompt and tools. */
export const counterForFixed = (
  counter: TokenCounter,
  tenant: TenantId,
  systemPrompt: string,
  tools: readonly JsonObject[],
): Promise<TokenCounter> =>
  countedAhead(counter, tenant, (listener) => countFixed(listener, systemPrompt, tools));
