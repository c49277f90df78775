/** In the place of the adapter: nothing, so that the same program runs without it. */
export const palimpsest = () => ({
  ...{ id: 'nothing', processLLMRequest: async () => undefined, flush: async () => true },
});
