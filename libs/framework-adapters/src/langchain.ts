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
  fromOpenAi,
  isThinking,
  type Message,
  type OpenAiMessage,
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

/** Converts a message of LangChain. */
const messageOf = (message: BaseMessage): readonly Message[] => {
  const { type } = message;
  const content = typeof message.content === 'string' ? message.content : message.content.filter(isPart);
  if (message instanceof ToolMessage || type === 'tool') {
    const { tool_call_id, status }: { tool_call_id?: string; status?: string } = Object(message);
    const [result] = fromOpenAi([{ role: 'tool', content, tool_call_id: tool_call_id ?? '' }]);
    const blocks = blocksOf(result?.content ?? []);
    return [
      {
        role: 'user',
        content: status === 'error' ? blocks.map((block) => ({ ...block, is_error: true })) : blocks,
      },
    ];
  }
  const role = type === 'human' ? 'user' : type === 'system' ? 'system' : 'assistant';
  return fromOpenAi([{ role, content, tool_calls: callsOf(message) }]).map((one) => ({
    role: one.role,
    content: [...thinkingIn(message), ...blocksOf(one.content)],
  }));
};

const isPart = ({ type }: { readonly type: string }): boolean => type === 'text' || type === 'image_url';
const thinkingIn = ({ content }: BaseMessage): readonly Block[] =>
  typeof content === 'string'
    ? []
    : content.filter((part): part is Extract<Block, { type: 'thinking' }> => isThinking(part));

const callsOf = (message: BaseMessage): NonNullable<OpenAiMessage['tool_calls']> => {
  const { tool_calls: calls = [] }: Pick<AIMessage, 'tool_calls'> = Object(message);
  return calls.map(({ id = '', name, args }) => ({
    id,
    function: { name, arguments: JSON.stringify(args) },
  }));
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
