import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import {
  type Answered,
  argumentsIn,
  type Block,
  blocksOf,
  fileOf,
  imageAt,
  inputOf,
  isDocument,
  isImage,
  isThinking,
  type Message,
  toOpenAi,
  usageFrom,
} from '@palimpsest/client';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { Exchange } from './core/exchange.js';
import { Mirrors } from './core/mirrors.js';
import type { AdapterOptions } from './core/options.js';
import { saidBy, toolOf } from './core/parts.js';

/** Options of the middleware. Without a `session`, the `thread_id` of a run names it. */
export type LangChainOptions = Omit<AdapterOptions, 'session'> & { readonly session?: string };

/** LangChain's middleware, and a way to append everything that the service missed. */
export type PalimpsestMiddleware = AgentMiddleware & { readonly flush: () => Promise<boolean> };

/**
 * Middleware for `createAgent` of LangChain: a request of the model carries the context of the session instead of all messages
 * of the state. The state keeps its messages.
 */
export const palimpsest = (options: LangChainOptions = {}): PalimpsestMiddleware => {
  const mirrors = new Mirrors({ session: '', ...options });
  const middleware = createMiddleware({
    name: 'PalimpsestMiddleware',
    wrapModelCall: (request, handler) => {
      const { messages, systemMessage, tools, model, runtime } = request;
      const session = options.session ?? runtime.configurable?.thread_id;
      if (session === undefined)
        throw new TypeError('palimpsest: no session: give the option "session", or run with a "thread_id"');
      const exchange = new Exchange(mirrors.of(session), messages, FORM, {
        system: systemMessage.text,
        tools: tools.map(toolFrom),
        model: modelOf(model),
      });
      return exchange.carryOut<AIMessage>(
        (sent) => handler(sent ? { ...request, messages: sent } : request),
        answerOf,
      );
    },
  });
  return { ...middleware, flush: () => mirrors.flush() };
};

/** Returns the name of a chat model, which its classes keep in different members. */
const modelOf = (model: unknown): string | undefined => {
  const { modelName, model: name }: { modelName?: unknown; model?: unknown } = Object(model);
  return [modelName, name].find((one) => typeof one === 'string');
};

const toolFrom = (tool: object): object => {
  if (!('name' in tool && 'schema' in tool)) return tool;
  const { name, description, parameters } = convertToOpenAITool(tool).function;
  return toolOf(name, description, parameters);
};

type Part = Exclude<BaseMessage['content'], string>[number];

/** Converts a message of LangChain. */
const messageOf = (message: BaseMessage): readonly Message[] => {
  const { type, content: said } = message;
  const content = typeof said === 'string' ? blocksOf(said) : said.flatMap(blockOf);
  if (message instanceof ToolMessage || type === 'tool') {
    const { tool_call_id = '', status }: { tool_call_id?: string; status?: string } = Object(message);
    const result = { tool_use_id: tool_call_id, content, ...(status === 'error' && { is_error: true }) };
    return [{ role: 'user', content: [{ type: 'tool_result', ...result }] }];
  }
  const role = type === 'human' ? 'user' : type === 'system' ? 'system' : 'assistant';
  const all = [...content, ...callsOf(message)];
  return all.length === 0 ? [] : [{ role, content: all }];
};

/** Parts with content that every provider has a form for. Calls are in a member of the message. */
const CONTENT: ReadonlySet<string> = new Set(['text', 'text-plain', 'image', 'file', 'audio', 'video']);

const blockOf = (part: Part): readonly Block[] => {
  const { type, text, image_url: image, file } = part;
  if (type === 'image_url') return [imageAt(String(Object(image).url ?? image))];
  // Parts in Anthropic's form.
  if (isThinking(part) || isImage(part) || isDocument(part)) return [part];
  if (!CONTENT.has(type)) return [];
  const { data = part.url ?? Object(file).file_data, mimeType = part.mime_type } = part;
  const ofType = type === 'image' ? 'image/*' : undefined;
  if (data !== undefined) return [fileOf(data, typeof mimeType === 'string' ? mimeType : ofType)];
  return blocksOf(typeof text === 'string' ? text : JSON.stringify(part));
};

const callsOf = (message: BaseMessage): readonly Block[] => {
  const { tool_calls: calls = [] }: Pick<AIMessage, 'tool_calls'> = Object(message);
  return calls.map(({ id = '', name, args }) => ({ type: 'tool_use', id, name, input: inputOf(args) }));
};

/** Converts a message of the service. */
const fromService = (message: Message): readonly BaseMessage[] =>
  toOpenAi([message]).map(({ role, content, tool_calls: calls = [], tool_call_id = '' }) => {
    const parts = typeof content === 'string' ? content : (content ?? []).map((part) => ({ ...part }));
    if (role === 'tool') return new ToolMessage({ content: parts, tool_call_id });
    if (role === 'system') return new SystemMessage({ content: parts });
    if (role === 'user') return new HumanMessage({ content: parts });
    const tool_calls = calls.map(({ id, function: called }) => ({
      ...{
        id,
        name: called?.name ?? '',
        args: { ...argumentsIn(called?.arguments ?? '') },
        type: 'tool_call' as const,
      },
    }));
    return new AIMessage({ content: parts, tool_calls });
  });

const FORM = { read: messageOf, write: fromService };

const answerOf = (answer: AIMessage): Answered => {
  const { usage_metadata: usage, response_metadata: metadata, tool_calls: calls = [] } = answer;
  const { input_tokens: input = 0, output_tokens: output = 0, input_token_details: details } = usage ?? {};
  const { cache_read: cacheRead, cache_creation: cacheWrite } = details ?? {};
  const { model_name: model, finish_reason: reason = 'stop' } = metadata;
  return {
    messages: saidBy(typeof model === 'string' ? model : undefined, messageOf(answer)),
    ...(usage && { usage: usageFrom({ input, cacheRead, cacheWrite, output }) }),
    ...(calls.length === 0 && { stopReason: String(reason) }),
  };
};
