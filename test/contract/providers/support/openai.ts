import OpenAI from 'openai';

/** The real client without its own retries, as the product uses it. */
export const openAiClient = (url: string, more: ConstructorParameters<typeof OpenAI>[0] = {}): OpenAI =>
  new OpenAI({
    ...{ apiKey: 'key', baseURL: `${url}/v1`, maxRetries: 0, timeout: 30_000, logLevel: 'off' },
    ...more,
  });
