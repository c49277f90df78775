import type { Usage } from '@palimpsest/client';
import { Exchange } from './core/exchange.js';
import { Mirrors } from './core/mirrors.js';
import type { AdapterOptions } from './core/options.js';
import { saidBy } from './core/parts.js';
import {
  fromOpenCode,
  type OpenCodeMessage,
  type OpenCodePart,
  openCodeWriter,
} from './messages/opencode.js';

/** Options of the plugin. Without a `session`, OpenCode's session names it. */
export type OpenCodeOptions = Omit<AdapterOptions, 'session'> & { readonly session?: string };

type Answer = OpenCodeMessage['info'] & {
  readonly time: { readonly completed?: number };
  readonly error?: unknown;
  readonly finish?: string;
  readonly tokens: Readonly<Record<'input' | 'output' | 'reasoning', number>> & {
    readonly cache: Readonly<Record<'read' | 'write', number>>;
  };
};
/** The members of OpenCode's events that the plugin uses. */
type Event = { type: string; properties: object };
type Changed = { readonly info?: unknown; readonly part?: unknown };
/**
 * Plugin of OpenCode: each request of the model carries the context of the session instead of all messages. OpenCode keeps its
 * messages.
 */
export const palimpsest = (options: OpenCodeOptions = {}) => {
  const mirrors = new Mirrors({ session: '', agent: 'opencode', ...options });
  /** The last request of each session of OpenCode. */
  const asked = new Map<string, Exchange<OpenCodeMessage>>();
  /** Parts of answers that are not finished, by message. */
  const parts = new Map<string, Map<string, OpenCodePart>>();

  const finish = async (info: Answer): Promise<void> => {
    const said = [...(parts.get(info.id)?.values() ?? [])];
    parts.delete(info.id);
    const exchange = asked.get(info.sessionID);
    // OpenCode may have made the next request, whose history has the answer.
    if (!exchange || exchange.history.some((own) => own.info.id === info.id) || info.error) return;
    asked.delete(info.sessionID);
    await exchange.record({
      messages: saidBy(info.modelID, fromOpenCode({ info, parts: said })),
      usage: usageOf(info),
      ...(info.finish !== 'tool-calls' && { stopReason: info.finish ?? 'stop' }),
    });
  };

  const hooks = {
    'experimental.chat.messages.transform': async <Own extends OpenCodeMessage>(
      _: object,
      output: { messages: Own[] },
    ): Promise<void> => {
      const messages = [...output.messages];
      const last = messages.findLast(({ info }) => info.role === 'user')?.info;
      if (!last) return;
      const mirror = mirrors.of(options.session ?? last.sessionID);
      const form = { read: fromOpenCode, write: openCodeWriter(messages) };
      const exchange = new Exchange<OpenCodeMessage>(mirror, messages, form, { model: last.model?.modelID });
      const sent = await exchange.prepare();
      for (const { info } of messages) parts.delete(info.id);
      asked.set(last.sessionID, exchange);
      // A message with its calls and then with their results is one of OpenCode.
      const whole = sent?.filter(({ info }, at) => info.id !== sent[at + 1]?.info.id);
      // OpenCode's own messages, and messages made from them.
      if (whole) output.messages.splice(0, messages.length, ...(whole as Own[]));
    },
    event: async ({ event }: { event: Event }): Promise<void> => {
      const { info, part }: Changed = event.properties;
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
