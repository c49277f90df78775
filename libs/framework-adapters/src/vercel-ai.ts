import { type AiSdkAnswer, AiSdkAnswerStream, type AiSdkMessage, answerFromAiSdk } from '@palimpsest/client';
import { Mirrors } from './core/mirrors.js';
import type { AdapterOptions } from './core/options.js';
import { problemOf } from './core/problem.js';
import { Prompt } from './messages/ai-sdk.js';

export type { AdapterOptions } from './core/options.js';

/** The members of `LanguageModelV3CallOptions` (AI SDK 6) and `LanguageModelV4CallOptions` (7) that the middleware uses. */
type Params = {
  prompt: AiSdkMessage[];
  tools?: { name: string; description?: string | undefined; inputSchema?: unknown }[] | undefined;
  maxOutputTokens?: number | undefined;
  providerOptions?: { [provider: string]: { [name: string]: unknown } } | undefined;
};
type Chunk = { type: string };
type Generating<Given, Result> = {
  params: Given;
  doGenerate: () => PromiseLike<Result>;
  model: { modelId: string; doGenerate(params: Given): PromiseLike<Result> };
};
type Streaming<Given, Result> = {
  params: Given;
  doStream: () => PromiseLike<Result>;
  model: { modelId: string; doStream(params: Given): PromiseLike<Result> };
};

/**
 * The member of parameters that has their call, also where another middleware copies them. A `WeakMap` would keep the histories of
 * all calls in memory until the next full collection.
 */
const CALL = Symbol('call');
const callOf = (params: object): Call | undefined => {
  const call: unknown = Reflect.get(params, CALL);
  return call instanceof Call ? call : undefined;
};

/**
 * Middleware for `wrapLanguageModel` of the Vercel AI SDK: a request carries the context of the session instead of the whole
 * history. `providerOptions: { palimpsest: { session } }` of a call selects another session.
 */
export const palimpsest = (options: AdapterOptions) => {
  const mirrors = new Mirrors(options);
  return {
    // AI SDK 6 declares `v3` here and 7 declares `v4`; neither reads it.
    specificationVersion: 'v3' as never,
    transformParams: async <Given extends Params>(given: { params: Given; model: { modelId: string } }) => {
      const call = new Call(mirrors, given.params, given.model.modelId);
      const params = (await call.prepare<Given>()) ?? { ...given.params };
      return Object.assign(params, { [CALL]: call });
    },
    wrapGenerate: async <Given extends Params, Result extends AiSdkAnswer>(
      given: Generating<Given, Result>,
    ) => {
      const { params, doGenerate, model } = given;
      const call = callOf(params);
      const result = await (call?.make(doGenerate, (smaller: Given) => model.doGenerate(smaller)) ??
        doGenerate());
      await call?.record(result);
      return result;
    },
    wrapStream: async <Given extends Params, Result extends { stream: ReadableStream }>(
      given: Streaming<Given, Result>,
    ) => {
      const { params, doStream, model } = given;
      const call = callOf(params);
      const result = await (call?.make(doStream, (smaller: Given) => model.doStream(smaller)) ?? doStream());
      return call ? { ...result, stream: result.stream.pipeThrough(call.recording()) } : result;
    },
    /** Appends everything that the service missed while it was away. */
    flush: () => mirrors.flush(),
  };
};

/** One request of the model. */
class Call {
  private readonly prompt: Prompt;

  constructor(
    mirrors: Mirrors,
    private readonly params: Params,
    model: string,
  ) {
    const { prompt, tools = [], providerOptions } = params;
    const { session } = providerOptions?.palimpsest ?? {};
    const mirror = mirrors.of(typeof session === 'string' ? session : undefined);
    this.prompt = new Prompt(mirror, prompt, tools, model);
  }

  /** Returns the parameters with the context of the session; `undefined` while the service is away. */
  async prepare<Given extends Params>(): Promise<Given | undefined> {
    return this.with(await this.prompt.prepare());
  }

  private with<Given extends Params>(prompt: AiSdkMessage[] | undefined): Given | undefined {
    if (!prompt) return undefined;
    const { maxOutputTokens: wanted } = this.params;
    const { answerRoom = wanted ?? 0 } = this.prompt;
    const room = wanted === undefined ? {} : { maxOutputTokens: Math.min(wanted, answerRoom) };
    // Its messages are the SDK's own, and the ones that the client has converted for it.
    return { ...this.params, prompt, ...room } as Given;
  }

  /** Makes the request, and once more with a smaller context if the provider finds it too large. */
  async make<Given extends Params, Result>(
    first: () => PromiseLike<Result>,
    again: (smaller: Given) => PromiseLike<Result>,
  ): Promise<Result> {
    try {
      return await first();
    } catch (error) {
      const smaller = this.with<Given>(await this.prompt.prepareAfter(problemOf(error)));
      if (!smaller) throw error;
      return again(smaller);
    }
  }

  record(answer: AiSdkAnswer): Promise<void> {
    return this.prompt.record(answerFromAiSdk(answer, this.prompt.model));
  }

  /** Passes the chunks of an answer on, and records the answer before the stream ends. */
  recording(): TransformStream<Chunk, Chunk> {
    const heard = new AiSdkAnswerStream();
    return new TransformStream({
      transform: (chunk, controller) => {
        heard.add(chunk);
        controller.enqueue(chunk);
      },
      flush: async () => heard.answer && (await this.record(heard.answer)),
    });
  }
}
