import { anthropicSummarizer } from '@app/adapters/summarizer-anthropic';
import { openAiChatSummarizer, openAiResponsesSummarizer } from '@app/adapters/summarizer-openai';
import { limitsOf, type Profile } from '@app/domain';
import { Tokens } from '@app/kernel';
import type { Summarizer } from '@app/ports';
import type { Provider } from './summarizer-settings.js';

/** A model that is to summarize, and how it is reached. */
export type ModelLink = {
  readonly provider: Provider;
  readonly model: string;
  readonly isSessionModel: boolean;
  readonly apiKey: string;
  readonly baseUrl: string | undefined;
};

/** The only place that knows which models can summarize. */
export const linkSummarizer = ({ provider, baseUrl, ...link }: ModelLink, profile: Profile): Summarizer => {
  const options = { ...link, ...(baseUrl !== undefined && { baseUrl }), ...sizesOf(link.model, profile) };
  switch (provider) {
    case 'anthropic':
      return anthropicSummarizer(options);
    case 'openai-chat':
      return openAiChatSummarizer(options);
    case 'openai-responses':
      return openAiResponsesSummarizer(options);
  }
};

/** Of an answer, in tokens of the session's counter: prompt and answer, and what a model thinks before it. */
const BESIDE_INPUT_TOKENS = 24_000;
/** Models count up to so many tokens where the session's counter counts one. */
const TOKENS_PER_COUNTED = 1.5;

/** What is known of a model's limits. Nothing is assumed: what is too large for an unknown one, its provider says. */
const sizesOf = (
  model: string,
  profile: Profile,
): { readonly maxOutput?: number; readonly inputMax?: Tokens } => {
  const limits = limitsOf(model, { ...profile, unknownWindow: 1 });
  if (limits.windowSource !== 'model') return {};
  const { window, inputLimit = window, maxOutput } = limits;
  const beside = Math.min(BESIDE_INPUT_TOKENS, window / 2);
  const inputMax = Tokens(Math.floor(Math.min(inputLimit, window - beside) / TOKENS_PER_COUNTED));
  return { inputMax, ...(maxOutput !== undefined && { maxOutput }) };
};
