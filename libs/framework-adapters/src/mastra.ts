import { AiSdkAnswerStream, type AiSdkMessage, answerFromAiSdk, toAiSdkPrompt } from '@palimpsest/client';
import { Mirrors } from './core/mirrors.js';
import type { AdapterOptions } from './core/options.js';
import type { SessionMirror } from './core/session-mirror.js';
import { Prompt } from './messages/ai-sdk.js';
import { regroup } from './messages/regroup.js';

/** Options of the processor. Without a `session`, the thread of Mastra's memory names it. */
export type MastraOptions = Omit<AdapterOptions, 'session'> & { readonly session?: string };

type RequestContext = { get(key: string): unknown };
type Request = {
  prompt: AiSdkMessage[];
  model: { modelId: string };
  state: Record<string, unknown>;
  requestContext?: RequestContext;
};
type Usage = { inputTokens?: number; outputTokens?: number; cachedInputTokens?: number };
type Payload = {
  text?: string;
  args?: unknown;
  output?: { usage?: Usage };
  stepResult?: { reason: string };
};
type Response = { chunks: { type: string; payload: unknown }[]; state: Record<string, unknown> };
type Asked = { mirror: SessionMirror; prompt: Prompt };

const STATE = 'palimpsest';

/**
 * Processor for `inputProcessors` of a Mastra agent: each request of the model carries the context of the session instead of
 * the whole history. Mastra's memory keeps its messages.
 */
export const palimpsest = (options: MastraOptions = {}) => {
  const mirrors = new Mirrors({ session: '', ...options });
  /** The history of the last request of each session, with its answer. */
  const earlier = new WeakMap<SessionMirror, readonly AiSdkMessage[]>();
  return {
    id: 'palimpsest',
    processLLMRequest: async <Given extends Request>(given: Given) => {
      const { prompt: messages, model, state, requestContext } = given;
      const mirror = mirrors.of(options.session ?? threadOf(requestContext));
      const known = earlier.get(mirror) ?? (await mirror.load()).flatMap((message) => toAiSdkPrompt(message));
      const start = messages.findIndex(({ role }) => role !== 'system');
      const history = regroup(known, messages.slice(start));
      const prompt = new Prompt(mirror, [...messages.slice(0, start), ...history], [], model.modelId);
      earlier.set(mirror, history);
      const sent = await prompt.prepare();
      state[STATE] = { mirror, prompt } satisfies Asked;
      // The SDK's own messages, and the ones that the client has converted for it.
      return sent && { prompt: sent as Given['prompt'] };
    },
    processLLMResponse: async ({ chunks, state }: Response): Promise<undefined> => {
      const { mirror, prompt }: Partial<Asked> = Object(state[STATE]);
      const { answer } = heard(chunks);
      if (!mirror || !prompt || !answer) return undefined;
      const answered = answerFromAiSdk(answer, prompt.model);
      const said = answered.messages.flatMap((message) => toAiSdkPrompt(message));
      earlier.set(mirror, [...(earlier.get(mirror) ?? []), ...said]);
      await prompt.record(answered);
      return undefined;
    },
    /** Appends everything that the service missed while it was away. */
    flush: () => mirrors.flush(),
  };
};

const threadOf = (context: RequestContext | undefined): string => {
  const { thread }: { thread?: { id?: unknown } } = Object(context?.get('MastraMemory'));
  if (typeof thread?.id === 'string') return thread.id;
  throw new TypeError(
    'palimpsest: no session: give the option "session", or call the agent with a thread of its memory',
  );
};

/** Collects an answer from Mastra's chunks, which wrap those of the AI SDK. */
const heard = (chunks: Response['chunks']): AiSdkAnswerStream => {
  const stream = new AiSdkAnswerStream();
  for (const { type, payload } of chunks) {
    const { text, args, output, stepResult, ...rest }: Payload = Object(payload);
    const { inputTokens: total, outputTokens, cachedInputTokens: cacheRead } = output?.usage ?? {};
    if (type === 'finish' || type === 'step-finish')
      stream.add({
        type: 'finish',
        usage: { inputTokens: { total, cacheRead }, outputTokens: { total: outputTokens } },
        finishReason: { unified: stepResult?.reason ?? 'stop' },
      });
    else
      stream.add({
        ...rest,
        type,
        ...(text !== undefined && { delta: text }),
        ...(args !== undefined && { input: args }),
      });
  }
  return stream;
};
