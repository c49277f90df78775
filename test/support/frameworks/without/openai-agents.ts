import { MemorySession, OpenAIProvider } from '@openai/agents';

/** In the place of the adapter: the SDK's own provider and session, so that the same program runs without it. */
export const palimpsest = () => ({
  ...{
    modelProvider: new OpenAIProvider(),
    session: new MemorySession({ sessionId: 'own' }),
    flush: async () => true,
  },
});
