import type { Usage } from '@app/domain';
import { type JsonObject, ownMember, Tokens } from '@app/kernel';
import { countFrom, objectIn } from '../drafts/members.js';

/** Usage field names of OpenAI's two APIs, where cached tokens are part of the input; in this engine they are not. */
export type OpenAiUsageNames = { readonly input: string; readonly output: string };

export const openAiUsage = (
  usage: JsonObject | undefined,
  { input, output }: OpenAiUsageNames,
): Usage | undefined => {
  if (!usage) return undefined;
  const details = objectIn(usage, `${input}_details`) ?? {};
  const [cached, written] = [countFrom(details.cached_tokens), countFrom(details.cache_write_tokens)];
  return {
    inputTokens: Tokens(Math.max(0, countFrom(ownMember(usage, input)) - cached - written)),
    cacheReadTokens: Tokens(cached),
    cacheWriteTokens: Tokens(written),
    outputTokens: Tokens(countFrom(ownMember(usage, output))),
  };
};
