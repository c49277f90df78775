import {
  type AnthropicAnswer,
  AnthropicAnswerStream,
  answerFromAnthropic,
  EventParser,
} from '@palimpsest/client';
import { Mirrors } from './core/mirrors.js';
import type { AdapterOptions } from './core/options.js';
import { type Relayed, startRelay } from './core/relay.js';
import { TranscriptStore } from './core/transcript-store.js';
import { type AnthropicBody, Conversation } from './messages/anthropic.js';

/** Options of the adapter. Without a `session`, Claude's session names it. */
export type ClaudeAgentOptions = Omit<AdapterOptions, 'session'> & {
  readonly session?: string;
  /** URL of the provider; by default `ANTHROPIC_BASE_URL`, or `https://api.anthropic.com`. */
  readonly upstream?: string;
};

/** Statuses with which Anthropic refuses a request that is too large. */
const TOO_LARGE: ReadonlySet<number> = new Set([400, 413]);

/**
 * Options for `query` of the Claude Agent SDK. `env` leads the requests of Claude's process through this one, so that each
 * carries the context of its session instead of the whole history. `sessionStore` keeps Claude's transcripts in the service.
 */
export const palimpsest = async (options: ClaudeAgentOptions = {}) => {
  const { upstream = process.env.ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com', ...given } = options;
  const settings = { session: '', agent: 'claude-agent-sdk', ...given };
  const mirrors = new Mirrors(settings);
  const sessionStore = new TranscriptStore(settings, mirrors.outages);

  const relay = await startRelay(async (request) => {
    const send = ({ method, path, headers, signal }: Relayed, body: string | Relayed['body']) =>
      fetch(`${upstream}${path}`, { method, headers, signal, ...(method !== 'GET' && { body }) });
    const body = conversationIn(request);
    if (!body) return send(request, request.body);
    const mirror = mirrors.of(options.session ?? request.headers.get(SESSION_HEADER) ?? 'claude');
    const conversation = new Conversation(mirror, body);
    const messages = await conversation.prepare();
    const composed = messages ? conversation.with(messages) : body;
    let response = await send(request, composed === body ? request.body : JSON.stringify(composed));
    if (TOO_LARGE.has(response.status)) {
      const { status } = response;
      const smaller = await conversation.prepareAfter({ status, message: await response.clone().text() });
      if (smaller) response = await send(request, JSON.stringify(conversation.with(smaller)));
    }
    return recorded(response, (answer) => conversation.record(answerFromAnthropic(answer)));
  });

  return {
    env: { ...process.env, ANTHROPIC_BASE_URL: relay.url },
    sessionStore,
    /** Appends everything that the service missed while it was away. */
    flush: async (): Promise<boolean> => {
      const isComplete = await mirrors.flush();
      return (await sessionStore.flush()) && isComplete;
    },
    close: relay.close,
  };
};

const SESSION_HEADER = 'x-claude-code-session-id';

/** Returns the body of a request of the conversation. A title or a count of tokens is not one: it has no tools, or another path. */
const conversationIn = ({ path, body }: Relayed): AnthropicBody | undefined => {
  if (!/^\/v1\/messages(?:\?|$)/.test(path)) return undefined;
  const parsed: AnthropicBody = JSON.parse(body.toString());
  return parsed.tools?.length ? parsed : undefined;
};

/** Returns the JSON object in a text; an empty one for any other text, which servers of other makers send between events. */
const jsonIn = (text = '') => {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
};

/** Passes an answer on, and records it before its end: the agent's next request may follow at once. */
const recorded = (response: Response, record: (answer: AnthropicAnswer) => Promise<void>): Response => {
  if (!response.ok || !response.body) return response;
  const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
  const stream = new AnthropicAnswerStream();
  const events = new EventParser();
  const decoder = new TextDecoder();
  let text = '';
  let isRecorded = false;
  const through = new TransformStream<Uint8Array, Uint8Array>({
    transform: async (bytes, controller) => {
      const part = decoder.decode(bytes, { stream: true });
      if (isStream) {
        for (const { data } of events.feed(part)) stream.add(jsonIn(data));
        if (!isRecorded && stream.answer) await record(stream.answer);
        isRecorded = stream.answer !== undefined;
      } else text += part;
      controller.enqueue(bytes);
    },
    flush: async () => {
      const answer: AnthropicAnswer = jsonIn(text);
      if (answer.content) await record(answer);
    },
  });
  const { status, headers } = response;
  return new Response(response.body.pipeThrough(through), { status, headers });
};
