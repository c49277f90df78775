import { Gemini, LlmSummarizer, TokenBasedContextCompactor } from '@google/adk';

/** In the place of the adapter: the framework's compactor at 80 % of the window, which keeps the latest four events. */
export const palimpsest = () => ({
  callbacks: {
    contextCompactors: [
      new TokenBasedContextCompactor({
        ...{ tokenThreshold: 12_800, eventRetentionSize: 4 },
        summarizer: new LlmSummarizer({ llm: new Gemini({ model: 'gemini-2.5-flash' }) }),
      }),
    ],
  },
  flush: async () => true,
});
