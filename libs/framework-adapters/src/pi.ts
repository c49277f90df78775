import type { Answered } from '@palimpsest/client';
import { Exchange } from './core/exchange.js';
import { Mirrors } from './core/mirrors.js';
import type { AdapterOptions } from './core/options.js';
import { saidBy, toolOf } from './core/parts.js';
import type { SessionMirror } from './core/session-mirror.js';
import { fromPi, type PiMessage, piWriter } from './messages/pi.js';

/** Options of the extension. Without a `session`, pi's session names it. */
export type PiOptions = Omit<AdapterOptions, 'session'> & { readonly session?: string };

type Tool = { name: string; description: string; parameters: unknown };
type Environment = {
  sessionManager: { getSessionId(): string };
  getSystemPrompt(): string;
  model: { id: string; api: string; provider: string } | undefined;
};
type Answer = PiMessage & {
  model: string;
  stopReason: string;
  usage: { input: number; output: number; cacheRead: number; cacheWrite: number };
};
/** The members of pi's `ExtensionAPI` that the extension uses. */
type Api = {
  /** A method with an overload for each event, to which no other type is assignable. */
  on: unknown;
  getAllTools(): readonly Tool[];
  getActiveTools(): readonly string[];
};

type Listening = Api & {
  on(event: string, handler: (event: never, environment: never) => unknown): unknown;
};

const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };
const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

/**
 * Extension of pi: each request of the model carries the context of the session instead of all messages, and pi's own
 * compaction gives way to that of the service. pi keeps its session file.
 */
export const palimpsest = (options: PiOptions = {}) => {
  const mirrors = new Mirrors({ session: '', agent: 'pi', ...options });
  const mirrorOf = ({ sessionManager }: Environment): SessionMirror =>
    mirrors.of(options.session ?? sessionManager.getSessionId());
  let asked: Exchange<PiMessage> | undefined;

  const extension = (given: Api): void => {
    const pi = given as Listening; // One method for all events.
    pi.on(
      'context',
      async <Own extends PiMessage>({ messages }: { messages: Own[] }, environment: Environment) => {
        const active = new Set(pi.getActiveTools());
        const tools = pi.getAllTools().filter(({ name }) => active.has(name));
        const like = likeAnswersOf(environment);
        const form = { read: fromPi, write: piWriter(like) };
        asked = new Exchange<PiMessage>(mirrorOf(environment), messages, form, {
          system: environment.getSystemPrompt(),
          tools: tools.map(({ name, description, parameters }) => toolOf(name, description, parameters)),
          model: environment.model?.id,
        });
        const sent = await asked.prepare();
        return sent && { messages: sent };
      },
    );
    pi.on('message_end', async ({ message }: { message: Answer }) => {
      if (message.role !== 'assistant' || !asked) return;
      const exchange = asked;
      asked = undefined;
      if (message.stopReason !== 'error') await exchange.record(answerOf(message));
    });
    pi.on('session_before_compact', async (_, environment: Environment) => {
      // `undefined` lets pi compact by itself while the service is away.
      return (await mirrorOf(environment).compact()) ? { cancel: true } : undefined;
    });
    pi.on('session_shutdown', async () => void (await mirrors.flush()));
  };
  /** Appends everything that the service missed while it was away. */
  return Object.assign(extension, { flush: () => mirrors.flush() });
};

const likeAnswersOf = ({ model }: Environment): object => ({
  ...(model && { api: model.api, provider: model.provider, model: model.id }),
  ...{ usage: { ...NO_USAGE, cost: NO_COST }, stopReason: 'stop', timestamp: 0 },
});

const answerOf = (message: Answer): Answered => {
  const { input, output, cacheRead, cacheWrite } = message.usage;
  return {
    messages: saidBy(message.model, fromPi(message)),
    usage: {
      inputTokens: input,
      cacheReadTokens: cacheRead,
      cacheWriteTokens: cacheWrite,
      outputTokens: output,
    },
    ...(message.stopReason !== 'toolUse' && { stopReason: message.stopReason }),
  };
};
