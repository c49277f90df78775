import type { Usage } from '@app/domain';
import { type JsonObject, ownMember, Tokens } from '@app/kernel';
import { countFrom, objectIn } from '../drafts/members.js';

/** Usage field names of OpenAI's two APIs, where cached tokens are part of the input; in this engine they are not. */
type OpenAiUsageNames = { readonly input: string; readonly output: string };
export const CHAT_USAGE: OpenAiUsageNames = { input: 'prompt_tokens', output: 'completion_tokens' };
export const RESPONSES_USAGE: OpenAiUsageNames = { input: 'input_tokens', output: 'output_tokens' };

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

/** Returns the output tokens of an answer's usage; 0 without any. */
export const outputTokensIn = (usage: JsonObject | undefined, { output }: OpenAiUsageNames): number =>
  countFrom(usage && ownMember(usage, output));

/** Returns the usage of the last of several answers with the output tokens of the earlier ones, as a member of an answer. */
export const usageWith = (
  usage: JsonObject | undefined,
  names: OpenAiUsageNames,
  earlier: number,
): { readonly usage?: JsonObject } => {
  if (usage === undefined) return {};
  const { total_tokens: total } = usage;
  return {
    usage: {
      ...usage,
      [names.output]: outputTokensIn(usage, names) + earlier,
      ...(total !== undefined && { total_tokens: countFrom(total) + earlier }),
    },
  };
};
