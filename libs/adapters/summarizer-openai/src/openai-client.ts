import type { SummarizerIdentity } from '@app/domain';
import { MODEL_TIMEOUT_MS, type ModelOptions } from '@app/ports';
import { shippedPrompts } from '@app/prompts';
import OpenAI from 'openai';

export const openAiClient = ({ apiKey, baseUrl }: ModelOptions): OpenAI =>
  new OpenAI({
    apiKey,
    // Environment variables of the client are ignored: they belong to other programs.
    organization: null,
    project: null,
    baseURL: baseUrl ?? 'https://api.openai.com/v1',
    maxRetries: 0,
    timeout: MODEL_TIMEOUT_MS,
    logLevel: 'off', // Its debug lines hold bodies.
  });

export const identityOf = (name: string, { model }: ModelOptions): SummarizerIdentity => ({
  name,
  model,
  promptVersion: shippedPrompts().version,
  deterministic: false,
});
