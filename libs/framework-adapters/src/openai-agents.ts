import {
  MemorySession,
  type Model,
  type ModelProvider,
  type ModelRequest,
  OpenAIProvider,
} from '@openai/agents';
import { Exchange } from './core/exchange.js';
import { Mirrors, toolNames } from './core/mirrors.js';
import type { AdapterOptions } from './core/options.js';
import { toolOf } from './core/parts.js';
import type { SessionMirror } from './core/session-mirror.js';
import { answerOf, FORM, type Group, groupsOf, itemsOf, messagesOf } from './messages/openai-agents.js';

/**
 * A model provider and a session for the OpenAI Agents SDK: each request of a model carries the context of the session instead
 * of the whole history, and the session keeps all items.
 *
 * @param provider makes the models; by default OpenAI's.
 */
export const palimpsest = (options: AdapterOptions, provider: ModelProvider = new OpenAIProvider()) => {
  const mirrors = new Mirrors(options);
  const modelProvider: ModelProvider = {
    getModel: async (name) => withContext(await provider.getModel(name), mirrors.of(), name),
  };
  const session = kept(new MemorySession({ sessionId: options.session }), mirrors.of());
  return { modelProvider, session, flush: () => mirrors.flush() };
};

/** Returns the model with the context of the session in each of its requests. */
const withContext = (model: Model, mirror: SessionMirror, name?: string): Model => {
  const exchangeOf = ({ input, systemInstructions: system, tools }: ModelRequest) => {
    const items = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : input;
    return new Exchange<Group>(mirror, groupsOf(items), FORM, {
      ...{ system, model: name },
      tools: tools.map((tool) => toolOf(tool.name, tool.description, tool.parameters)),
    });
  };
  const requestWith = (request: ModelRequest, groups: readonly Group[] | undefined) =>
    groups ? { ...request, input: groups.flat() } : request;
  // The provider keeps the history of such a request: it has none of its own to replace.
  const isKept = ({ previousResponseId, conversationId }: ModelRequest) =>
    previousResponseId ?? conversationId;
  return {
    getResponse: (request) => {
      if (isKept(request)) return model.getResponse(request);
      return exchangeOf(request).carryOut(
        (groups) => model.getResponse(requestWith(request, groups)),
        answerOf,
      );
    },
    async *getStreamedResponse(request) {
      if (isKept(request)) return yield* model.getStreamedResponse(request);
      const exchange = exchangeOf(request);
      const sent = requestWith(request, await exchange.prepare());
      for await (const event of model.getStreamedResponse(sent)) {
        if (event.type === 'response_done' && event.response) await exchange.record(answerOf(event.response));
        yield event;
      }
    },
    getRetryAdvice: (problem) => model.getRetryAdvice?.(problem),
  };
};

/** Returns the session: each method first loads the items of an earlier process, and the ones that add items append them. */
const kept = (session: MemorySession, mirror: SessionMirror): MemorySession => {
  const load = async (): Promise<void> => {
    const messages = await mirror.load();
    const names = toolNames(messages);
    await session.addItems(messages.flatMap((message) => itemsOf(message, names)));
  };
  let loaded: Promise<void> | undefined;
  return new Proxy(session, {
    get: (_, name) => {
      const member: unknown = Reflect.get(session, name);
      if (typeof member !== 'function' || name === 'constructor') return member;
      return async (...given: readonly unknown[]): Promise<unknown> => {
        loaded ??= load();
        await loaded;
        const result: unknown = await member.apply(session, given);
        if (/^(?:add|apply)/.test(String(name)))
          mirror.append({ history: groupsOf(await session.getItems()).flatMap(messagesOf) });
        return result;
      };
    },
  });
};
