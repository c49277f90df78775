import Anthropic from '@anthropic-ai/sdk';
import {
  type Answered,
  answerFromAnthropic,
  answerFromOpenAi,
  answerFromResponses,
  type Block,
  type Message,
  type PalimpsestClient,
  PalimpsestError,
} from '@app/client';
import OpenAI from 'openai';
import { prose, toolOutput } from './content.js';
import { ANTHROPIC_MODEL, OPENAI_MODEL, type Providers } from './providers.js';
import { Random } from './random.js';

/** The behaviour of a session of the month, drawn by a seed from its number. */
export type Plan = {
  readonly session: string;
  readonly seed: number;
  readonly way: 'api' | 'gateway';
  readonly format: 'anthropic' | 'openai-chat' | 'openai-responses';
  readonly profile: string;
  readonly window: number;
  readonly turns: number;
  /** Whether the agent has tools. */
  readonly hasTools: boolean;
  /**
   * When the bill is reported: with the answer, with or without request id; after the next request was composed;
   * twice; never.
   */
  readonly usage: 'with-answer' | 'named' | 'late' | 'twice' | 'never';
  /** Whether the model's answer takes longer than a running compaction. */
  readonly isSlow: boolean;
  /** Whether answers are streamed; gateway only. */
  readonly isStreamed: boolean;
};

const FORMATS = ['anthropic', 'openai-chat', 'openai-responses'] as const;
const PROFILES = ['core', 'core', 'tail', 'staged', 'pivot', 'deterministic', 'authorized'];
const USAGES = ['with-answer', 'named', 'late', 'twice', 'with-answer', 'never'] as const;

export const planOf = (number: number, seed: number, turns: number): Plan => {
  const random = new Random(seed * 7_919 + number * 104_729);
  const way = number % 2 === 0 ? 'api' : 'gateway';
  return {
    session: `${way}-${number}`,
    seed: random.below(1 << 22),
    way,
    format: FORMATS[Math.floor(number / 2) % 3] ?? 'anthropic',
    profile:
      way === 'gateway' ? random.of(PROFILES.filter((name) => name !== 'authorized')) : random.of(PROFILES),
    window: random.of([24_000, 32_000, 48_000]),
    turns,
    hasTools: random.below(4) > 0,
    usage: way === 'api' ? random.of(USAGES) : 'with-answer',
    isSlow: random.below(2) === 0,
    isStreamed: random.below(2) === 0,
  };
};

export type World = {
  readonly url: string;
  readonly key: string;
  readonly client: PalimpsestClient;
  readonly providers: Providers;
  /** Called for unexpected behaviour. */
  readonly onSurprise: (session: string, what: string) => void;
};

const SYSTEM = 'You repair software. Read before you write, run the tests, and say what you have done.';
const TOOLS = ['read', 'bash', 'search'].map((name) => ({
  name,
  description: `Does ${name} in the working tree.`,
  input_schema: {
    type: 'object' as const,
    properties: { path: { type: 'string' }, limit: { type: 'integer' } },
  },
}));
/** Attempts of a request with transient failures. */
const TRIES = 5;

/** Plays a whole session. */
export const play = async (plan: Plan, world: World): Promise<void> => {
  try {
    await (plan.way === 'api' ? new ApiAgent(plan, world).work() : new GatewayAgent(plan, world).work());
  } catch (error) {
    world.onSurprise(
      plan.session,
      error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    );
  }
};

const resultsOf = (random: Random, content: readonly Block[]): Block[] =>
  content.flatMap((block): Block[] =>
    block.type === 'tool_use' && 'id' in block
      ? [
          {
            type: 'tool_result',
            tool_use_id: String(block.id),
            content: toolOutput(random, 2 + random.below(10)),
          },
        ]
      : [],
  );

/** An agent on the API: append, compose, call the model, append with the bill. */
class ApiAgent {
  private readonly random: Random;
  /** Whether its user requests a truncation of the next request. */
  private isShortened = false;
  /** A bill that is not reported yet. */
  private owed: (() => Promise<unknown>) | undefined;

  constructor(
    private readonly plan: Plan,
    private readonly world: World,
  ) {
    this.random = new Random(plan.seed);
  }

  async work(): Promise<void> {
    const { session, profile, window, format, hasTools, turns } = this.plan;
    const model = format === 'anthropic' ? ANTHROPIC_MODEL : OPENAI_MODEL;
    const tools = hasTools ? TOOLS : [];
    await this.world.client.sessions.open({ session, profile, window, model, system: SYSTEM, tools });
    for (let turn = 0; turn < turns; turn += 1) {
      await this.append([
        { role: 'user', content: `Task ${turn}: ${prose(this.random, 20 + this.random.below(80))}` },
      ]);
      await this.turn();
    }
    await this.owed?.();
  }

  private async turn(): Promise<void> {
    for (;;) {
      const { requestId, answer } = await this.ask();
      await this.report(requestId, answer);
      const content = answer.messages.flatMap((message) =>
        typeof message.content === 'string' ? [] : message.content,
      );
      const results = resultsOf(this.random, content);
      if (results.length === 0) return;
      await this.append([{ role: 'user', content: results }]);
    }
  }

  private append(messages: readonly Message[]): Promise<unknown> {
    return this.world.client.sessions.append(this.plan.session, { messages });
  }

  /** Composes and calls the provider, with retries of transient failures. */
  private async ask(): Promise<{ readonly requestId: string; readonly answer: Answered }> {
    for (let attempt = 1; ; attempt += 1) {
      const { requestId, body } = await this.compose();
      this.isShortened = false;
      await this.owed?.();
      this.owed = undefined;
      const { status, text } = await this.send(body);
      if (status === 200) return { requestId, answer: this.read(text) };
      if (attempt === TRIES)
        throw new Error(`the provider answered ${status} ${attempt} times: ${text.slice(0, 200)}`);
      if (status === 400 || status === 413) await this.overflowed(status, text);
    }
  }

  private async compose(): Promise<{ readonly requestId: string; readonly body: string }> {
    const { client } = this.world;
    const { session, format } = this.plan;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const options = { format, ...(this.isShortened && { ladder: 'on' as const }) };
        const { requestId, request } = await client.sessions.compose(session, options);
        return { requestId, body: JSON.stringify(request) };
      } catch (error) {
        // For a session of the profile authorized its user approves.
        if (!(error instanceof PalimpsestError) || error.code !== 'request-refused' || attempt === 3)
          throw error;
        const requested = await client.compactions.request(session);
        await client.compactions.outcome(session, requested.compactionId);
      }
    }
  }

  private async send(body: string): Promise<{ readonly status: number; readonly text: string }> {
    const { anthropic, openai } = this.world.providers;
    const { format } = this.plan;
    const path = format === 'openai-chat' ? '/v1/chat/completions' : '/v1/responses';
    const response =
      format === 'anthropic'
        ? await fetch(`${anthropic.url}/v1/messages`, {
            method: 'POST',
            headers: {
              'x-api-key': 'any',
              'anthropic-version': '2023-06-01',
              'content-type': 'application/json',
            },
            body,
          })
        : await fetch(`${openai.url}${path}`, {
            method: 'POST',
            headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
            body,
          });
    return { status: response.status, text: await response.text() };
  }

  /** Returns the provider's answer in the API's form. */
  private read(text: string): Answered {
    switch (this.plan.format) {
      case 'anthropic':
        return answerFromAnthropic(JSON.parse(text));
      case 'openai-chat':
        return answerFromOpenAi(JSON.parse(text));
      case 'openai-responses':
        return answerFromResponses(JSON.parse(text));
    }
  }

  private async overflowed(status: number, message: string): Promise<void> {
    const { client } = this.world;
    const { session, profile } = this.plan;
    try {
      const { outcome } = await client.sessions.reportOverflow(session, { status, message });
      if (outcome === 'not-an-overflow') throw new Error(`refused: ${message.slice(0, 300)}`);
    } catch (error) {
      const isTheirs = error instanceof PalimpsestError && error.code === 'context-overflow';
      if (profile !== 'authorized' || !isTheirs) throw error;
      this.isShortened = true;
    }
  }

  /** Appends the answer, and its bill as planned. */
  private async report(requestId: string, { messages, usage, stopReason }: Answered): Promise<void> {
    const { client } = this.world;
    const { session } = this.plan;
    if (this.plan.isSlow) await this.untilCompacted();
    const said = { messages, ...(stopReason !== undefined && { stopReason }) };
    if (!usage || this.plan.usage === 'never') {
      await client.sessions.append(session, said);
      return;
    }
    switch (this.plan.usage) {
      case 'with-answer':
        await client.sessions.append(session, { ...said, usage });
        return;
      case 'named':
        await client.sessions.append(session, { ...said, usage: { ...usage, requestId } });
        return;
      case 'twice':
        await client.sessions.append(session, { ...said, usage: { ...usage, requestId } });
        await client.sessions.reportUsage(session, { ...usage, requestId });
        return;
      case 'late':
        await client.sessions.append(session, said);
        this.owed = () => client.sessions.reportUsage(session, { ...usage, requestId });
    }
  }

  private async untilCompacted(): Promise<void> {
    const { client } = this.world;
    const { compaction } = await client.sessions.get(this.plan.session);
    if (compaction?.status === 'requested')
      await client.compactions.outcome(this.plan.session, compaction.compactionId);
  }
}

/** An agent that knows its provider only, and sends its whole history each time, with the real clients. */
class GatewayAgent {
  private readonly random: Random;
  private readonly anthropic: Anthropic;
  private readonly openai: OpenAI;
  private readonly params: Anthropic.MessageParam[] = [];
  private readonly chat: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: SYSTEM }];
  private readonly items: OpenAI.Responses.ResponseInput = [];

  constructor(
    private readonly plan: Plan,
    { url, key }: World,
  ) {
    this.random = new Random(plan.seed);
    const { session, profile, window } = plan;
    const defaultHeaders = {
      'x-palimpsest-key': key,
      'x-palimpsest-session': session,
      'x-palimpsest-profile': profile,
      'x-palimpsest-window': String(window),
    };
    const common = { apiKey: 'any', maxRetries: TRIES, defaultHeaders };
    this.anthropic = new Anthropic({ ...common, baseURL: `${url}/gateway/anthropic` });
    this.openai = new OpenAI({ ...common, baseURL: `${url}/gateway/openai/v1` });
  }

  async work(): Promise<void> {
    for (let turn = 0; turn < this.plan.turns; turn += 1) {
      const task = `Task ${turn}: ${prose(this.random, 20 + this.random.below(80))}`;
      switch (this.plan.format) {
        case 'anthropic':
          await this.anthropicTurn(task);
          break;
        case 'openai-chat':
          await this.chatTurn(task);
          break;
        case 'openai-responses':
          await this.responsesTurn(task);
      }
    }
  }

  private result(): string {
    return toolOutput(this.random, 2 + this.random.below(10));
  }

  private async anthropicTurn(task: string): Promise<void> {
    let said: Anthropic.MessageParam['content'] = task;
    for (;;) {
      this.params.push({ role: 'user', content: said });
      const body: Anthropic.MessageCreateParamsNonStreaming = {
        ...{ model: ANTHROPIC_MODEL, max_tokens: 4_000, system: SYSTEM, messages: this.params },
        ...(this.plan.hasTools && { tools: TOOLS }),
      };
      const { content } = this.plan.isStreamed
        ? await this.anthropic.messages.stream(body).finalMessage()
        : await this.anthropic.messages.create(body);
      this.params.push({ role: 'assistant', content });
      const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
      if (calls.length === 0) return;
      said = calls.map((id) => ({ type: 'tool_result', tool_use_id: id, content: this.result() }));
    }
  }

  private async chatTurn(task: string): Promise<void> {
    this.chat.push({ role: 'user', content: task });
    for (;;) {
      const body: OpenAI.ChatCompletionCreateParamsNonStreaming = {
        ...{ model: OPENAI_MODEL, max_completion_tokens: 4_000, messages: this.chat },
        ...(this.plan.hasTools && {
          tools: TOOLS.map(({ name, description, input_schema: parameters }) => ({
            type: 'function' as const,
            function: { name, description, parameters },
          })),
        }),
      };
      const completion = this.plan.isStreamed
        ? await this.openai.chat.completions
            .stream({ ...body, stream: true, stream_options: { include_usage: true } })
            .finalChatCompletion()
        : await this.openai.chat.completions.create(body);
      const message = completion.choices[0]?.message;
      if (!message) throw new Error('a completion without a choice');
      const { content, tool_calls: calls = [] } = message;
      this.chat.push({
        role: 'assistant',
        content,
        ...(calls.length > 0 && {
          tool_calls: calls.flatMap((one) =>
            one.type === 'function'
              ? [
                  {
                    id: one.id,
                    type: 'function' as const,
                    function: { name: one.function.name, arguments: one.function.arguments },
                  },
                ]
              : [],
          ),
        }),
      });
      if (calls.length === 0) return;
      for (const { id } of calls) this.chat.push({ role: 'tool', tool_call_id: id, content: this.result() });
    }
  }

  private async responsesTurn(task: string): Promise<void> {
    this.items.push({ role: 'user', content: task });
    for (;;) {
      const body: OpenAI.Responses.ResponseCreateParamsNonStreaming = {
        ...{
          model: OPENAI_MODEL,
          max_output_tokens: 4_000,
          instructions: SYSTEM,
          input: this.items,
          store: false,
        },
        ...(this.plan.hasTools && {
          tools: TOOLS.map(({ name, description, input_schema: parameters }) => ({
            ...{ type: 'function' as const, name, description, parameters, strict: false },
          })),
        }),
      };
      const { output } = this.plan.isStreamed
        ? await this.openai.responses.stream({ ...body, stream: true }).finalResponse()
        : await this.openai.responses.create(body);
      const calls = output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
      this.items.push(
        ...output.flatMap((item) => (item.type === 'function_call' || item.type === 'message' ? [item] : [])),
      );
      if (calls.length === 0) return;
      for (const { call_id } of calls)
        this.items.push({ type: 'function_call_output', call_id, output: this.result() });
    }
  }
}
