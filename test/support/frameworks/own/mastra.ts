import { TokenLimiterProcessor } from '@mastra/core/processors';

/** In the place of the adapter: the framework's `TokenLimiterProcessor` with the window less room for the answer. */
export const palimpsest = () =>
  Object.assign(new TokenLimiterProcessor({ limit: 14_000 }), { flush: async () => true });
