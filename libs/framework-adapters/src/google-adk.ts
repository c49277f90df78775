import { type Answered, blocksOf, isToolUse, type Message } from '@palimpsest/client';
import { handOver, Mirrors, pair, toolNames } from './core/mirrors.js';
import type { AdapterOptions } from './core/options.js';
import type { Context, SessionMirror, Turn } from './core/session-mirror.js';
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

/** A request whose answer is awaited. */
type Asked = {
  readonly mirror: SessionMirror;
  readonly turn: Turn;
  readonly context: Context | undefined;
  readonly read: (content: GoogleContent) => readonly Message[];
};

/**
 * Callbacks for an `LlmAgent` of Google's ADK: each request of the model carries the context of the session instead of all events.
 * The ADK's session keeps its events.
 */
export const palimpsest = (options: AdkOptions = {}) => {
  const mirrors = new Mirrors({ session: '', agent: 'google-adk', ...options });
  const asked = new Map<string, Asked>();
  const nameOf = ({ invocationId, agentName }: Agent): string => `${invocationId} ${agentName}`;

  const beforeModelCallback = async ({ context: agent, request }: { context: Agent; request: Request }) => {
    const mirror = mirrors.of(options.session ?? agent.sessionId);
    const read = contentReader();
    const paired = pair(request.contents, read);
    const { systemInstruction, tools = [] } = request.config ?? {};
    const turn = {
      history: paired.map(({ message }) => message),
      system: textIn(systemInstruction),
      tools: tools.flatMap(toolsIn),
      ...(request.model !== undefined && { model: request.model }),
    };
    const context = await mirror.prepare(turn);
    asked.set(nameOf(agent), { mirror, turn, context, read });
    const names = toolNames(turn.history);
    if (context)
      request.contents = [...handOver(context.messages, paired, (message) => toGoogle(message, names))];
    return undefined;
  };

  const afterModelCallback = async ({ context: agent, response }: { context: Agent; response: Response }) => {
    const one = asked.get(nameOf(agent));
    // Parts of a streamed answer precede the whole one.
    if (!one || response.partial) return undefined;
    asked.delete(nameOf(agent));
    const { mirror, turn, context, read } = one;
    if (response.errorCode === undefined) await mirror.record(turn, answerOf(response, read), context);
    return undefined;
  };

  return {
    callbacks: { beforeModelCallback, afterModelCallback },
    /** Appends everything that the service missed while it was away. */
    flush: () => mirrors.flush(),
  };
};

/** Returns the text of a system instruction: a text, a content, a part, or a list of these. */
const textIn = (instruction: unknown): string => {
  if (typeof instruction === 'string') return instruction;
  if (Array.isArray(instruction)) return instruction.map(textIn).join('\n\n');
  const { text, parts = [] }: GooglePart & GoogleContent = Object(instruction);
  return text ?? parts.map((part) => part.text ?? '').join('\n\n');
};

/** Returns the functions of a tool; tools of the provider have none. */
const toolsIn = (tool: unknown): readonly object[] => {
  const { functionDeclarations = [] }: { functionDeclarations?: readonly Declared[] } = Object(tool);
  return functionDeclarations.map(({ name, description = '', parameters, parametersJsonSchema }) => ({
    ...{ name, description, input_schema: parametersJsonSchema ?? parameters ?? { type: 'object' } },
  }));
};

const answerOf = (
  { content, usageMetadata: usage, finishReason = 'STOP', modelVersion: model }: Response,
  read: Asked['read'],
): Answered => {
  const messages = content ? read(content) : [];
  const isCalling = messages.some((message) => blocksOf(message.content).some(isToolUse));
  const { cachedContentTokenCount: cached = 0, thoughtsTokenCount: thoughts = 0 } = usage ?? {};
  return {
    messages: messages.map((message) => ({ ...message, ...(model !== undefined && { model }) })),
    ...(usage && {
      usage: {
        inputTokens: Math.max(0, (usage.promptTokenCount ?? 0) - cached),
        ...{ cacheReadTokens: cached, cacheWriteTokens: 0 },
        outputTokens: (usage.candidatesTokenCount ?? 0) + thoughts,
      },
    }),
    ...(!isCalling && { stopReason: finishReason }),
  };
};
