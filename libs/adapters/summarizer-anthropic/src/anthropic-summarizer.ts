import Anthropic from '@anthropic-ai/sdk';
import type { Tokens } from '@app/kernel';
import type { Summarizer } from '@app/ports';
import { shippedPrompts } from '@app/prompts';
import { readAnswer } from './read-answer.js';
import { prefixRequest } from './request/prefix-request.js';
import { transcriptRequest } from './request/transcript-request.js';

export type AnthropicOptions = {
  readonly apiKey: string;
  /** Where the API is, or a server that speaks like it; Anthropic's own where it is not given. */
  readonly baseUrl?: string;
  readonly model: string;
  /** Whether it is the session's own model: then a session's request can be repeated for its cache. */
  readonly isSessionModel: boolean;
  /** The model's longest answer, in tokens, where it is known. */
  readonly maxOutput?: number;
  /** What one call may be shown, by the session's counter; any length where nobody knows the window. */
  readonly inputMax?: Tokens;
};

/** Whoever calls ends a call by its signal; this is for a caller that never does. */
const TIMEOUT_MS = 600_000;

/**
 * Summarizes with a model of Anthropic's, or of a server that speaks like it. Its requests hold nothing that a current
 * model refuses: no prefill, no sampling parameters, no forced tool choice.
 */
export const anthropicSummarizer = (options: AnthropicOptions): Summarizer => {
  const { apiKey, baseUrl, model, isSessionModel, inputMax } = options;
  const client = new Anthropic({
    apiKey,
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    maxRetries: 0,
    timeout: TIMEOUT_MS,
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
    summarize: (request, signal) => {
      const body = request.parent ? prefixRequest(request, request.parent) : transcriptRequest(request);
      return readAnswer(client, { ...body, ...sized(options, request.sizeMax) }, signal);
    },
  };
};

/** A model that thinks pays for its thoughts out of the same room. */
const ROOM_FOR_THINKING = 16_000;
const UNKNOWN_OUTPUT_MAX = 8_192;

const sized = ({ model, maxOutput = UNKNOWN_OUTPUT_MAX }: AnthropicOptions, sizeMax: number) => ({
  model,
  max_tokens: Math.min(maxOutput, sizeMax * 2 + ROOM_FOR_THINKING),
});
