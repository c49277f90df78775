import { AnthropicServer, OpenAiServer, type RecordedRequest, type Reply } from '@app/testing/providers';
import type { Framework } from './frameworks.js';

/** A local server in the place of the framework's provider. */
export type ModelServer = AnthropicServer | OpenAiServer;

/** Window of the model in the complaints, in tokens. */
const WINDOW = 16_000;

/** Starts the server that the framework's agent speaks to. `hasWindow`: it refuses requests above 16,000 tokens. */
export const startModelServer = (
  { protocol }: Pick<Framework, 'protocol'>,
  script: (request: RecordedRequest) => Promise<Reply>,
  hasWindow = false,
): Promise<ModelServer> =>
  protocol === 'anthropic'
    ? AnthropicServer.start({ script, ...(hasWindow && { windows: { 'claude-opus-4-6': WINDOW } }) })
    : OpenAiServer.start({ script, ...(hasWindow && { windows: { 'gpt-5.1': WINDOW } }) });

/** Environment in which the framework's agent finds the server. */
export const modelEnv = ({ url }: ModelServer): Readonly<Record<string, string>> => ({
  ...{ OPENAI_API_KEY: 'any', OPENAI_BASE_URL: `${url}/v1` },
  ...{ ANTHROPIC_API_KEY: 'any', ANTHROPIC_BASE_URL: url },
});
