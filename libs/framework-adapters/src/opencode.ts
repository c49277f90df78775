import type { Usage } from '@palimpsest/client';
import { Mirrors, pair } from './core/mirrors.js';
import type { AdapterOptions } from './core/options.js';
import type { Context, SessionMirror, Turn } from './core/session-mirror.js';
import { fromOpenCode, type OpenCodeMessage, type OpenCodePart, toOpenCode } from './messages/opencode.js';

/** Options of the plugin. Without a `session`, OpenCode's session names it. */
export type OpenCodeOptions = Omit<AdapterOptions, 'session'> & { readonly session?: string };

type Answer = OpenCodeMessage['info'] & {
  readonly time: { readonly completed?: number };
  readonly error?: unknown;
  readonly finish?: string;
  readonly tokens: {
    readonly input: number;
    readonly output: number;
    readonly reasoning: number;
    readonly cache: { readonly read: number; readonly write: number };
  };
};
/** The members of OpenCode's events that the plugin uses. */
type Event = { type: string; properties: { info?: unknown; part?: unknown } };
/** The last request of a session. */
type Asked = {
  readonly mirror: SessionMirror;
  readonly turn: Turn;
  readonly context: Context | undefined;
  /** IDs of the messages in its history. */
  readonly known: ReadonlySet<string>;
};

/**
 * Plugin of OpenCode: each request of the model carries the context of the session instead of all messages. OpenCode keeps its
 * messages.
 */
export const palimpsest = (options: OpenCodeOptions = {}) => {
  const mirrors = new Mirrors({ session: '', agent: 'opencode', ...options });
  const asked = new Map<string, Asked>();
  /** Parts of answers that are not finished, by message. */
  const parts = new Map<string, Map<string, OpenCodePart>>();

  const finish = async (info: Answer): Promise<void> => {
    const said = [...(parts.get(info.id)?.values() ?? [])];
    parts.delete(info.id);
    const request = asked.get(info.sessionID);
    // OpenCode may have made the next request, whose history has the answer.
    if (!request || request.known.has(info.id) || info.error) return;
    asked.delete(info.sessionID);
    const messages = fromOpenCode({ info, parts: said }).map((message) => ({
      ...message,
      ...(message.role === 'assistant' && info.modelID !== undefined && { model: info.modelID }),
    }));
    const answer = {
      ...{ messages, usage: usageOf(info) },
      ...(info.finish !== 'tool-calls' && { stopReason: info.finish ?? 'stop' }),
    };
    await request.mirror.record(request.turn, answer, request.context);
  };

  const hooks = {
    'experimental.chat.messages.transform': async <Own extends OpenCodeMessage>(
      _: object,
      output: { messages: Own[] },
    ): Promise<void> => {
      const { messages } = output;
      const last = messages.findLast(({ info }) => info.role === 'user')?.info;
      if (!last) return;
      const mirror = mirrors.of(options.session ?? last.sessionID);
      const paired = pair<OpenCodeMessage>(messages, fromOpenCode);
      const { model } = last;
      const turn = {
        history: paired.map(({ message }) => message),
        ...(model && { model: model.modelID }),
      };
      const context = await mirror.prepare(turn);
      const known = new Set(messages.map(({ info }) => info.id));
      for (const id of known) parts.delete(id);
      asked.set(last.sessionID, { mirror, turn, context, known });
      // OpenCode's own messages, and messages made from them.
      if (context) messages.splice(0, messages.length, ...(toOpenCode(context.messages, paired) as Own[]));
    },
    event: async ({ event }: { event: Event }): Promise<void> => {
      const { info, part } = event.properties;
      if (event.type === 'message.part.updated') keep(parts, Object(part));
      if (event.type !== 'message.updated') return;
      const answer: Answer = Object(info);
      if (answer.role === 'assistant' && answer.time.completed !== undefined) await finish(answer);
    },
    dispose: async (): Promise<void> => void (await mirrors.flush()),
  };
  /** Appends everything that the service missed while it was away. */
  return Object.assign(async () => hooks, { flush: () => mirrors.flush() });
};

const keep = (parts: Map<string, Map<string, OpenCodePart>>, part: OpenCodePart): void => {
  const ofMessage = parts.get(part.messageID) ?? new Map<string, OpenCodePart>();
  parts.set(part.messageID, ofMessage.set(part.id, part));
};

const usageOf = ({ tokens: { input, output, reasoning, cache } }: Answer): Usage => ({
  inputTokens: input,
  cacheReadTokens: cache.read,
  cacheWriteTokens: cache.write,
  outputTokens: output + reasoning,
});
