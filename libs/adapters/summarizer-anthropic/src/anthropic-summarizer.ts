import Anthropic from '@anthropic-ai/sdk';
import { answerMax, MODEL_TIMEOUT_MS, type ModelOptions, type Summarizer } from '@app/ports';
import { shippedPrompts } from '@app/prompts';
import { compactNatively } from './compact-natively.js';
import { readAnswer } from './read-answer.js';
import { requestBody } from './request-body.js';

/**
 * Summarizes with a model of Anthropic's, or of a server that speaks like it. Its requests hold nothing that a current
 * model refuses: no prefill, no sampling parameters, no forced tool choice.
 */
export const anthropicSummarizer = (options: ModelOptions): Summarizer => {
  const { apiKey, baseUrl, model, isSessionModel, inputMax } = options;
  const client = new Anthropic({
    apiKey,
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    maxRetries: 0,
    timeout: MODEL_TIMEOUT_MS,
    // Its debug lines hold bodies, and its spans would count every call twice.
    logLevel: 'off',
    openTelemetry: false,
  });
  return {
    identity: {
      name: 'anthropic',
      model,
      promptVersion: shippedPrompts().version,
      deterministic: false,
    },
    ...(inputMax !== undefined && { inputMax }),
    ...(isSessionModel && { repeats: 'anthropic' as const }),
    summarize: (request, signal) =>
      readAnswer(client, { ...requestBody(request), ...sized(options, request.sizeMax) }, signal),
    compactNatively: (parent, signal) =>
      compactNatively(client, parent, sized(options, NATIVE_SUMMARY_TOKENS), signal),
  };
};

/** A summary of the provider's own is as long as the provider likes. */
const NATIVE_SUMMARY_TOKENS = 8_000;

const sized = (options: ModelOptions, sizeMax: number) => ({
  model: options.model,
  max_tokens: answerMax(options, sizeMax),
});
