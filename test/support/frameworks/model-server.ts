import {
  AnthropicServer,
  GoogleServer,
  OpenAiServer,
  type RecordedRequest,
  type Reply,
} from '@app/testing/providers';
import type { Framework } from './frameworks.js';

/** A local server in the place of the framework's provider. */
export type ModelServer = AnthropicServer | GoogleServer | OpenAiServer;

/** Starts the server that the framework's agent speaks to. It refuses requests above `window` tokens, if given. */
export const startModelServer = (
  { protocol }: Pick<Framework, 'protocol'>,
  script: (request: RecordedRequest) => Promise<Reply>,
  window?: number,
): Promise<ModelServer> => {
  if (protocol === 'google') return GoogleServer.start({ script, ...(window && { window }) });
  return protocol === 'anthropic'
    ? AnthropicServer.start({ script, ...(window && { windows: { 'claude-opus-4-6': window } }) })
    : OpenAiServer.start({ script, ...(window && { windows: { 'gpt-5.1': window } }) });
};

/** Environment in which the framework's agent finds the server. */
export const modelEnv = ({ url }: ModelServer): Readonly<Record<string, string>> => ({
  ...{ OPENAI_API_KEY: 'any', OPENAI_BASE_URL: `${url}/v1` },
  ...{ ANTHROPIC_API_KEY: 'any', ANTHROPIC_BASE_URL: url },
  ...{ GEMINI_API_KEY: 'any', GOOGLE_GEMINI_BASE_URL: url },
});
