import { anthropicSummarizer } from '@app/adapters/summarizer-anthropic';
import { openAiChatSummarizer, openAiResponsesSummarizer } from '@app/adapters/summarizer-openai';
import { findModel, type ModelCatalog, type ModelProvider, tokenizerOf } from '@app/domain';
import { Tokens } from '@app/kernel';
import type { Summarizer } from '@app/ports';

/** A model for summaries, and its connection. */
export type ModelLink = {
  readonly provider: ModelProvider;
  readonly model: string;
  readonly isSessionModel: boolean;
  readonly apiKey: string;
  readonly baseUrl: string | undefined;
};

/** Creates the summarizer of a link, by provider. */
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

/** Tokens of the window for the prompt, the answer and the reasoning before it. */
const BESIDE_INPUT_TOKENS = 24_000;
/** Model tokens per thousand counted tokens, for an unknown tokenizer. */
const PER_THOUSAND_UNKNOWN = 1_500;

/** Returns the known limits of a model. Unknown ones are not assumed: the provider rejects larger requests. */
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
