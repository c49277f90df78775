import { ChatOpenAI } from '@langchain/openai';
import { summarizationMiddleware } from 'langchain';

/** In the place of the adapter: the framework's `summarizationMiddleware`, at 80 % of the window, which keeps 30 %. */
export const palimpsest = () => ({
  ...summarizationMiddleware({
    model: new ChatOpenAI({ model: 'gpt-5.1' }),
    ...{ trigger: { tokens: 12_800 }, keep: { tokens: 4_800 } },
  }),
  flush: async () => true,
});
