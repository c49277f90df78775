import { createMiddleware } from 'langchain';

/** In the place of the adapter: a middleware that does nothing, so that the same program runs without it. */
export const palimpsest = () => ({
  ...createMiddleware({ name: 'Nothing', wrapModelCall: async (request, handler) => handler(request) }),
  flush: async () => true,
});
