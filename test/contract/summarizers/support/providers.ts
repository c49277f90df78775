import { anthropicSummarizer } from '@app/adapters/summarizer-anthropic';
import { openAiChatSummarizer, openAiResponsesSummarizer } from '@app/adapters/summarizer-openai';
import { type ModelProvider, NO_FILE_OPERATIONS } from '@app/domain';
import { CompactionId, Tokens } from '@app/kernel';
import type { Summarizer, SummaryRequest } from '@app/ports';
import { textMessage } from '@app/testing';
import { AnthropicServer, OpenAiServer, type Reply } from '@app/testing/providers';

export const KEY = 'sk-planted-0123456789';
const MODELS: Readonly<Record<ModelProvider, string>> = {
  anthropic: 'claude-opus-4-6',
  'openai-chat': 'gpt-5.4',
  'openai-responses': 'gpt-5.4',
};

export type Provider = {
  readonly name: ModelProvider;
  readonly server: AnthropicServer | OpenAiServer;
  readonly model: string;
  readonly summarizer: Summarizer;
};

/** A provider's server, and the summarizer that calls it through the provider's client. */
export const startProvider = async (name: ModelProvider): Promise<Provider> => {
  const model = MODELS[name];
  const options = { key: KEY, windows: { [model]: 40_000 }, script: [] };
  const server =
    name === 'anthropic' ? await AnthropicServer.start(options) : await OpenAiServer.start(options);
  return { name, server, model, summarizer: summarizerAt(name, server.url, model) };
};

const MAKERS = {
  anthropic: anthropicSummarizer,
  'openai-chat': openAiChatSummarizer,
  'openai-responses': openAiResponsesSummarizer,
};
export const baseUrlAt = (name: ModelProvider, url: string): string =>
  name === 'anthropic' ? url : `${url}/v1`;
const summarizerAt = (name: ModelProvider, url: string, model: string): Summarizer =>
  MAKERS[name]({
    ...{ apiKey: KEY, baseUrl: baseUrlAt(name, url), model, isSessionModel: true, maxOutput: 64_000 },
  });

export const GOOD = '## Goal\nShip it, with “quotes” and 表.\n\n## State\nUnder way.';

export const summaryRequest = (change: Partial<SummaryRequest> = {}): SummaryRequest => ({
  compactionId: CompactionId('cmp_1'),
  messages: [
    textMessage('m1', 'Please ship the parser.'),
    textMessage('m2', 'I read parser.ts.', 'assistant'),
  ],
  splitPrefix: 0,
  retained: [textMessage('m3', 'The tests are green now.')],
  fileOperations: NO_FILE_OPERATIONS,
  toolOutputs: 'summarized',
  sizeMax: Tokens(1_000),
  ...change,
});

/** Returns the outcome of a call. */
export const called = async (
  { server, summarizer }: Provider,
  ...replies: readonly Reply[]
): Promise<Awaited<ReturnType<Summarizer['summarize']>>> => {
  server.reply(...replies);
  return summarizer.summarize(summaryRequest(), new AbortController().signal);
};
