import Anthropic from '@anthropic-ai/sdk';

/** The real client without its own retries, as the product uses it. */
export const anthropicClient = (
  url: string,
  more: ConstructorParameters<typeof Anthropic>[0] = {},
): Anthropic =>
  new Anthropic({
    ...{ apiKey: 'key', baseURL: url, maxRetries: 0, timeout: 30_000, logLevel: 'off' },
    ...more,
  });
