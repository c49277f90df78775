import Anthropic from '@anthropic-ai/sdk';

/** The real client, as a program of ours uses it: without retries of its own. */
export const anthropicClient = (
  url: string,
  more: ConstructorParameters<typeof Anthropic>[0] = {},
): Anthropic =>
  new Anthropic({
    ...{ apiKey: 'key', baseURL: url, maxRetries: 0, timeout: 30_000, logLevel: 'off' },
    ...more,
  });
