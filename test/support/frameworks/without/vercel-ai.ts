/** In the place of the adapter: nothing, so that the same program runs without it. */
export const palimpsest = () => ({ specificationVersion: 'v3' as never, flush: async () => true });
