import { type Answered, blocksOf, isToolUse, usageFrom } from '@palimpsest/client';
import { Exchange, type Form } from './core/exchange.js';
import { Mirrors } from './core/mirrors.js';
import type { AdapterOptions } from './core/options.js';
import { saidBy, toolOf } from './core/parts.js';
import { contentReader, type GoogleContent, type GooglePart, toGoogle } from './messages/google-adk.js';

/** Options of the callbacks. Without a `session`, the ADK's session names it. */
export type AdkOptions = Omit<AdapterOptions, 'session'> & { readonly session?: string };

type Declared = {
  readonly name?: string;
  readonly description?: string;
  readonly parameters?: unknown;
  readonly parametersJsonSchema?: unknown;
};
/** The members of the ADK's `Context`, `LlmRequest` and `LlmResponse` that the callbacks use. */
type Agent = { readonly sessionId: string; readonly invocationId: string; readonly agentName: string };
type Request = {
  contents: GoogleContent[];
  readonly model?: string;
  readonly config?: { readonly systemInstruction?: unknown; readonly tools?: readonly unknown[] };
};
type Response = {
  readonly content?: GoogleContent;
  readonly partial?: boolean;
  readonly errorCode?: string;
  readonly finishReason?: string;
  readonly modelVersion?: string;
  readonly usageMetadata?: {
    readonly promptTokenCount?: number;
    readonly cachedContentTokenCount?: number;
    readonly candidatesTokenCount?: number;
    readonly thoughtsTokenCount?: number;
  };
};

/**
 * Callbacks for an `LlmAgent` of Google's ADK: each request of the model carries the context of the session instead of all events.
 * The ADK's session keeps its events.
 */
export const palimpsest = (options: AdkOptions = {}) => {
  const mirrors = new Mirrors({ session: '', agent: 'google-adk', ...options });
  const asked = new Map<string, Exchange<GoogleContent>>();
  const nameOf = ({ invocationId, agentName }: Agent): string => `${invocationId} ${agentName}`;

  const beforeModelCallback = async ({ context: agent, request }: { context: Agent; request: Request }) => {
    const { systemInstruction, tools = [] } = request.config ?? {};
    const mirror = mirrors.of(options.session ?? agent.sessionId);
    const form = { read: contentReader(), write: toGoogle };
    const exchange = new Exchange<GoogleContent>(mirror, request.contents, form, {
      ...{ system: textOf(systemInstruction), tools: tools.flatMap(toolsIn), model: request.model },
    });
    const sent = await exchange.prepare();
    asked.set(nameOf(agent), exchange);
    if (sent) request.contents = sent;
    return undefined;
  };

  const afterModelCallback = async ({ context: agent, response }: { context: Agent; response: Response }) => {
    const exchange = asked.get(nameOf(agent));
    // Parts of a streamed answer precede the whole one.
    if (!exchange || response.partial) return undefined;
    asked.delete(nameOf(agent));
    if (response.errorCode === undefined) await exchange.record(answerOf(response, exchange.form));
    return undefined;
  };

  return {
    callbacks: { beforeModelCallback, afterModelCallback },
    /** Appends everything that the service missed while it was away. */
    flush: () => mirrors.flush(),
  };
};

/** Returns the text of a system instruction: a text, a content, a part, or a list of these. */
const textOf = (instruction: unknown): string => {
  if (typeof instruction === 'string') return instruction;
  if (Array.isArray(instruction)) return instruction.map(textOf).join('\n\n');
  const { text, parts = [] }: GooglePart & GoogleContent = Object(instruction);
  return text ?? parts.map((part) => part.text ?? '').join('\n\n');
};

/** Returns the functions of a tool; tools of the provider have none. */
const toolsIn = (tool: unknown): readonly object[] => {
  const { functionDeclarations = [] }: { functionDeclarations?: readonly Declared[] } = Object(tool);
  return functionDeclarations.map(({ name, description, parameters, parametersJsonSchema }) =>
    toolOf(name, description, parametersJsonSchema ?? parameters),
  );
};

const answerOf = (
  { content, usageMetadata: usage, finishReason = 'STOP', modelVersion }: Response,
  { read }: Form<GoogleContent>,
): Answered => {
  const messages = content ? read(content) : [];
  const isCalling = messages.some((message) => blocksOf(message.content).some(isToolUse));
  const { promptTokenCount: input = 0, cachedContentTokenCount: cacheRead } = usage ?? {};
  const output = (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0);
  return {
    messages: saidBy(modelVersion, messages),
    ...(usage && { usage: usageFrom({ input, cacheRead, output }) }),
    ...(!isCalling && { stopReason: finishReason }),
  };
};
