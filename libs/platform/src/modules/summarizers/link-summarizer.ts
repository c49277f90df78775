import { anthropicSummarizer } from '@app/adapters/summarizer-anthropic';
import { openAiChatSummarizer, openAiResponsesSummarizer } from '@app/adapters/summarizer-openai';
import { findModel, type ModelCatalog, type ModelProvider, tokenizerOf } from '@app/domain';
import { Tokens } from '@app/kernel';
import type { Summarizer } from '@app/ports';

/** A model that is to summarize, and how it is reached. */
export type ModelLink = {
  readonly provider: ModelProvider;
  readonly model: string;
  readonly isSessionModel: boolean;
  readonly apiKey: string;
  readonly baseUrl: string | undefined;
};

/** The only place that knows which models can summarize. */
export const linkSummarizer = (
  { provider, baseUrl, ...link }: ModelLink,
  catalog: ModelCatalog,
): Summarizer => {
  const options = { ...link, ...(baseUrl !== undefined && { baseUrl }), ...sizesOf(link.model, catalog) };
  switch (provider) {
    case 'anthropic':
      return anthropicSummarizer(options);
    case 'openai-chat':
      return openAiChatSummarizer(options);
    case 'openai-responses':
      return openAiResponsesSummarizer(options);
  }
};

/** Of a window, what the prompt, the answer and the thoughts before it may take. */
const BESIDE_INPUT_TOKENS = 24_000;
/** Tokens of a model for a thousand that are counted here, where nobody knows its tokenizer. */
const PER_THOUSAND_UNKNOWN = 1_500;

/** What is known of a model's limits. Nothing is assumed: what is too large for an unknown one, its provider says. */
const sizesOf = (
  model: string,
  catalog: ModelCatalog,
): { readonly maxOutput?: number; readonly inputMax?: Tokens } => {
  const known = findModel(catalog, model)?.record;
  if (!known) return {};
  const { window, outputMax, inputMax = window } = known;
  const beside = Math.min(BESIDE_INPUT_TOKENS, window / 2);
  const ratio = Math.max(1_000, tokenizerOf(catalog, model)?.perThousand ?? PER_THOUSAND_UNKNOWN) / 1_000;
  return {
    inputMax: Tokens(Math.floor(Math.min(inputMax, window - beside) / ratio)),
    ...(outputMax !== undefined && { maxOutput: outputMax }),
  };
};
