import {
  type AgentInputItem,
  MemorySession,
  type Model,
  type ModelProvider,
  type ModelRequest,
  OpenAIProvider,
} from '@openai/agents';
import { handOver, Mirrors, pair, toolNames } from './core/mirrors.js';
import type { AdapterOptions } from './core/options.js';
import type { Context, SessionMirror } from './core/session-mirror.js';
import { answerOf, groupsOf, itemsOf, messageOf } from './messages/openai-agents.js';

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
  const session = new PalimpsestSession(options.session, mirrors.of());
  return { modelProvider, session, flush: () => mirrors.flush() };
};

/** Returns the model with the context of the session in each of its requests. */
const withContext = (model: Model, mirror: SessionMirror, name?: string): Model => {
  const prepared = (request: ModelRequest) => {
    const { input, systemInstructions: system, tools } = request;
    const items: readonly AgentInputItem[] =
      typeof input === 'string' ? [{ role: 'user', content: input }] : input;
    const paired = pair(groupsOf(items), (group) => [messageOf(group)]);
    const history = paired.map(({ message }) => message);
    const names = toolNames(history);
    const turn = {
      ...{ history, tools: tools.map(toolOf) },
      ...(system !== undefined && { system }),
      ...(name !== undefined && { model: name }),
    };
    const requestWith = (context: Context | undefined): ModelRequest =>
      context
        ? {
            ...request,
            input: handOver(context.messages, paired, (message) => [itemsOf(message, names)]).flat(),
          }
        : request;
    return { turn, requestWith };
  };
  // The provider keeps the history of such a request: it has none of its own to replace.
  const isKept = ({ previousResponseId, conversationId }: ModelRequest) =>
    previousResponseId ?? conversationId;
  return {
    getResponse: (request) => {
      if (isKept(request)) return model.getResponse(request);
      const { turn, requestWith } = prepared(request);
      return mirror.carryOut(turn, (context) => model.getResponse(requestWith(context)), answerOf);
    },
    async *getStreamedResponse(request) {
      if (isKept(request)) return yield* model.getStreamedResponse(request);
      const { turn, requestWith } = prepared(request);
      const context = await mirror.prepare(turn);
      for await (const event of model.getStreamedResponse(requestWith(context))) {
        if (event.type === 'response_done' && event.response)
          await mirror.record(turn, answerOf(event.response), context);
        yield event;
      }
    },
    getRetryAdvice: (problem) => model.getRetryAdvice?.(problem),
  };
};

/** Keeps all items, and loads those of an earlier process from the service. */
class PalimpsestSession extends MemorySession {
  private loaded: Promise<void> | undefined;

  constructor(
    sessionId: string,
    private readonly mirror: SessionMirror,
  ) {
    super({ sessionId });
  }

  override async getItems(limit?: number): Promise<AgentInputItem[]> {
    await this.load();
    return super.getItems(limit);
  }

  override async addItems(items: AgentInputItem[]): Promise<void> {
    await this.load();
    await super.addItems(items);
    await this.append();
  }

  override async popItem(): Promise<AgentInputItem | undefined> {
    await this.load();
    return super.popItem();
  }

  override async applyHistoryTransaction(change: object): Promise<void> {
    await this.load();
    await super.applyHistoryTransaction(change);
    await this.append();
  }

  private load(): Promise<void> {
    this.loaded ??= this.mirror.load().then((messages) => {
      const names = toolNames(messages);
      return super.addItems(messages.flatMap((message) => itemsOf(message, names)));
    });
    return this.loaded;
  }

  private async append(): Promise<void> {
    const groups = groupsOf(await super.getItems());
    this.mirror.append({ history: groups.map(messageOf) });
  }
}

const toolOf = ({
  name,
  description = '',
  parameters = { type: 'object' },
}: ModelRequest['tools'][number]) => ({
  ...{ name, description, input_schema: parameters },
});
