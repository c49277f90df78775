import { pruneMessages } from 'ai';

type Params = { prompt: never[] };

/** In the place of the adapter: the framework's `pruneMessages`, which drops calls and results before the last two messages. */
export const palimpsest = () => ({
  specificationVersion: 'v3' as never,
  // A prompt has the members of `ModelMessage` that are pruned.
  transformParams: async <Given extends Params>({ params }: { params: Given }) => ({
    ...params,
    prompt: pruneMessages({ messages: params.prompt, toolCalls: 'before-last-2-messages' }) as never[],
  }),
  flush: async () => true,
});
