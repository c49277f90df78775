import { createHash } from 'node:crypto';
import {
  AnthropicServer,
  answer,
  call,
  fail,
  OpenAiServer,
  type Part,
  type RecordedRequest,
  type Reply,
  type TokenCount,
} from '@app/testing/providers';
import { code, json, prose } from './content.js';
import { Random } from './random.js';

/** A provider's record of one request, and its bill. */
export type ProviderCall = {
  /** SHA-256 of the body in hex, which identifies the request in the session. */
  readonly digest: string;
  readonly status: number;
  /** Billed tokens of the prompt, including cached parts; 0 if rejected. */
  readonly prompt: number;
  readonly output: number;
  /** Whether the script made the provider fail, for any request. */
  readonly isScripted: boolean;
  /** The error text of a rejection; empty if accepted. */
  readonly refusal: string;
};

/** The maximum number of steps in a turn before a text answer. */
const STEPS_MAX = 5;
export const ANTHROPIC_MODEL = 'claude-opus-4-1';
export const OPENAI_MODEL = 'gpt-4.1';

/** A local server per API, which bill with their own tokenizer and fail occasionally. */
export class Providers {
  private constructor(
    readonly anthropic: AnthropicServer,
    readonly openai: OpenAiServer,
    /** By digest, in order of arrival. */
    readonly calls: ReadonlyMap<string, readonly ProviderCall[]>,
  ) {}

  static async start(count: TokenCount, window: number): Promise<Providers> {
    const calls = new Map<string, ProviderCall[]>();
    const script = (request: RecordedRequest): Reply => replyTo(request);
    const anthropic = await AnthropicServer.start({
      script,
      count,
      models: { [ANTHROPIC_MODEL]: { window, outputMax: window, stopsAtWindow: false } },
    });
    const openai = await OpenAiServer.start({
      script,
      count,
      models: { [OPENAI_MODEL]: { inputMax: window, outputMax: window } },
    });
    for (const server of [anthropic, openai]) keepSlim(server, calls);
    return new Providers(anthropic, openai, calls);
  }

  async stop(): Promise<void> {
    await Promise.all([this.anthropic.close(), this.openai.close()]);
  }
}

/** Keeps digest and bill of each request: bodies of a whole month would not fit into memory. */
const keepSlim = (server: AnthropicServer | OpenAiServer, calls: Map<string, ProviderCall[]>): void => {
  const { requests } = server;
  const push = requests.push.bind(requests);
  requests.push = (...added) => {
    for (const request of added) {
      void request.ended.then(() => {
        const digest = createHash('sha256').update(request.text).digest('hex');
        calls.set(digest, [...(calls.get(digest) ?? []), slim(request, digest)]);
        requests.splice(requests.indexOf(request), 1);
      });
    }
    return push(...added);
  };
};

const slim = (request: RecordedRequest, digest: string): ProviderCall => {
  const { usage = {}, status = 0 } = request;
  const number = (name: string): number => Number(usage[name] ?? 0);
  const prompt =
    number('input_tokens') +
    number('cache_read_input_tokens') +
    number('cache_creation_input_tokens') +
    number('prompt_tokens');
  return {
    ...{ digest, status, prompt },
    output: number('output_tokens') + number('completion_tokens'),
    isScripted: SCRIPTED.has(request),
    refusal: status >= 400 ? `${request.path} ${status}` : '',
  };
};

const SCRIPTED = new WeakSet<RecordedRequest>();
/** Hashes of failed requests, whose retry is answered. */
const FAILED = new Set<number>();

/** The answer depends on the request only: tool calls for a few steps, then text. */
const replyTo = (request: RecordedRequest): Reply => {
  const seed = createHash('sha256').update(request.text).digest().readUInt32BE(0);
  const random = new Random(seed);
  const chance = random.below(100);
  if (chance < 4 && !FAILED.has(seed)) {
    FAILED.add(seed);
    SCRIPTED.add(request);
    return fail(chance === 0 ? 'overflow' : random.of(['server-error', 'overloaded', 'rate-limited']), {
      retryAfter: { milliseconds: 1 },
    });
  }
  const tools = Array.isArray(request.body.tools) ? request.body.tools.length : 0;
  const steps = stepsSinceUser(request);
  const isDone = tools === 0 || steps >= STEPS_MAX || random.below(3) === 0;
  if (isDone) return answer(wordsOf(random));
  const calls: Part[] = Array.from({ length: 1 + random.below(2) }, () =>
    call(random.of(['read', 'bash', 'search']), {
      path: `src/${random.below(90)}.ts`,
      limit: random.below(200),
    }),
  );
  return answer(prose(random, 8 + random.below(20)), ...calls);
};

const wordsOf = (random: Random): string =>
  random.of([
    () => prose(random, 40 + random.below(120)),
    () => `${prose(random, 30)}\n\n${code(random, 4 + random.below(12))}`,
    () => `${prose(random, 20)}\n\n${json(random, 2 + random.below(4))}`,
  ])();

/** Returns the number of messages with tool results after the last user text. */
const stepsSinceUser = ({ body }: RecordedRequest): number => {
  const items: unknown[] = Array.isArray(body.messages)
    ? body.messages
    : Array.isArray(body.input)
      ? body.input
      : [];
  let steps = 0;
  for (const item of items.toReversed()) {
    const text = JSON.stringify(item);
    if (/"tool_result"|"role":"tool"|"function_call_output"/.test(text)) steps += 1;
    else if (text.includes('"role":"user"')) break;
  }
  return steps;
};
