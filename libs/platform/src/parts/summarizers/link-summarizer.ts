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

/** Creates the summarizer of a link, by provider. A process without summaries of models does not load the providers' clients. */
export const linkSummarizer = async (
  { provider, baseUrl, ...link }: ModelLink,
  catalog: ModelCatalog,
): Promise<Summarizer> => {
  const options = { ...link, ...(baseUrl !== undefined && { baseUrl }), ...sizesOf(link.model, catalog) };
  if (provider === 'anthropic') {
    const { anthropicSummarizer } = await import('@app/adapters/summarizer-anthropic');
    return anthropicSummarizer(options);
  }
  const { openAiChatSummarizer, openAiResponsesSummarizer } = await import('@app/adapters/summarizer-openai');
  return provider === 'openai-chat' ? openAiChatSummarizer(options) : openAiResponsesSummarizer(options);
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
