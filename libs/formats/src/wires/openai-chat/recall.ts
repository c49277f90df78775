import { RECALL_TOOL, recallTool } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { listIn, objectIn, stringIn } from '../../drafts/members.js';
import type { WireFailure } from '../failure.js';
import { openAiError } from '../openai-error.js';
import { CHAT_USAGE, outputTokensIn, usageWith } from '../openai-usage.js';
import { type Frame, withData } from '../recall/frames.js';
import type { RecallWire, StreamSplicer } from '../recall/recall-wire.js';

const { name, description, input_schema: parameters } = recallTool;
/** Separator between the texts of two rounds. */
const BETWEEN = '\n\n';

const isRecall = (call: Json): boolean =>
  isJsonObject(call) && stringIn(objectIn(call, 'function') ?? {}, 'name') === RECALL_TOOL;

/** OpenAI's chat completions. */
export const chatRecall: RecallWire = {
  tool: {
    type: 'function',
    function: { name: name ?? RECALL_TOOL, description: description ?? '', parameters: parameters ?? {} },
  },
  // With several choices no single one can be continued; and functions and tools exclude each other.
  mayHold: ({ n, functions }) => (n === undefined || n === null || n === 1) && functions === undefined,
  joined: (rounds) => {
    const last = rounds.at(-1) ?? {};
    const messages = rounds.map((body) => objectIn(choiceOf(body), 'message') ?? {});
    const texts = messages
      .map(({ content }) => content)
      .filter((content) => typeof content === 'string' && content !== '');
    const { tool_calls: _, ...message } = messages.at(-1) ?? {};
    const calls = (listIn(messages.at(-1) ?? {}, 'tool_calls') ?? []).filter((call) => !isRecall(call));
    const choice = choiceOf(last);
    const earlier = rounds.slice(0, -1).reduce((sum, body) => sum + outputOf(objectIn(body, 'usage')), 0);
    return {
      ...last,
      ...(rounds[0]?.id !== undefined && { id: rounds[0].id }),
      choices: [
        {
          ...choice,
          message: {
            ...message,
            content: texts.length > 0 ? texts.join(BETWEEN) : (message.content ?? null),
            ...(calls.length > 0 && { tool_calls: calls }),
          },
          finish_reason: finishReason(choice.finish_reason, calls.length > 0),
        },
      ],
      ...usageWith(objectIn(last, 'usage'), CHAT_USAGE, earlier),
    };
  },
  stream: () => new ChunkSplicer(),
};

const choiceOf = (body: JsonObject): JsonObject => {
  const [choice] = listIn(body, 'choices') ?? [];
  return isJsonObject(choice) ? choice : {};
};

/** A client with no call to answer has the whole answer. */
const finishReason = (reason: Json | undefined, hasCalls: boolean): Json =>
  reason === 'tool_calls' && !hasCalls ? 'stop' : (reason ?? null);

const outputOf = (usage: JsonObject | undefined): number => outputTokensIn(usage, CHAT_USAGE);

class ChunkSplicer implements StreamSplicer {
  #round = 0;
  #id: Json | undefined;
  #calls = 0;
  #hasText = false;
  /** Whether this round has text. */
  #speaks = false;
  /** The client's index of each call of this round; `undefined` for one of the recall tool. */
  #places = new Map<number, number | undefined>();
  #held: Frame[] = [];
  #output = 0;

  take(frame: Frame): string {
    const { data } = frame;
    if (frame.isDone) {
      this.#held.push(frame);
      return '';
    }
    if (!data || !Array.isArray(data.choices)) return frame.raw;
    this.#id ??= data.id;
    const shown = this.#shown(data);
    const choice = choiceOf(data);
    const isEnd =
      listIn(data, 'choices')?.length === 0 ||
      (choice.finish_reason !== undefined && choice.finish_reason !== null);
    if (!isEnd) return shown === undefined ? '' : withData(frame, shown);
    this.#held.push({
      ...frame,
      ...(shown !== data && { raw: withData(frame, shown ?? data) }),
      data: shown ?? data,
    });
    return '';
  }

  next(): string {
    let flushed = '';
    for (const { data } of this.#held) {
      this.#output += outputOf(data && objectIn(data, 'usage'));
      const choice = data && choiceOf(data);
      const said = choice && objectIn(choice, 'delta');
      if (data && choice && said && typeof said.content === 'string' && said.content !== '')
        flushed += `data: ${JSON.stringify({ ...data, choices: [{ ...choice, finish_reason: null }] })}\n\n`;
    }
    this.#round += 1;
    this.#hasText ||= this.#speaks;
    this.#speaks = false;
    this.#places = new Map();
    this.#held = [];
    return flushed;
  }

  end(): string {
    return this.#held.map((frame) => this.#ended(frame)).join('');
  }

  fail(failure: WireFailure): string {
    return `data: ${JSON.stringify(openAiError(failure))}\n\n`;
  }

  /** Returns a chunk for the client; `undefined` if it becomes empty, the same object if it is unchanged. */
  #shown(data: JsonObject): JsonObject | undefined {
    const choice = choiceOf(data);
    const delta = objectIn(choice, 'delta');
    const id = this.#id === data.id ? {} : { id: this.#id ?? null };
    if (!delta) return Object.keys(id).length === 0 ? data : { ...data, ...id };
    const { tool_calls: given, ...said } = delta;
    const calls = listIn(delta, 'tool_calls');
    const kept = calls?.flatMap((call) => this.#call(call));
    const parts: Record<string, Json | undefined> = { ...said };
    if (typeof said.content === 'string' && said.content !== '') {
      if (this.#round > 0 && this.#hasText && !this.#speaks) parts.content = `${BETWEEN}${said.content}`;
      this.#speaks = true;
    }
    // The client has heard who speaks.
    if (this.#round > 0) {
      delete parts.role;
      if (parts.content === '' || parts.content === null) delete parts.content;
    }
    const isWhole =
      parts.content === said.content &&
      parts.role === said.role &&
      (kept?.every((call, at) => call === calls?.[at]) ?? true) &&
      kept?.length === calls?.length;
    if (isWhole && Object.keys(id).length === 0) return data;
    const isEmpty = Object.keys(parts).length === 0 && (kept?.length ?? 0) === 0;
    const isEnd = choice.finish_reason !== undefined && choice.finish_reason !== null;
    if (isEmpty && !isEnd) return undefined;
    const next = { ...choice, delta: { ...parts, ...(kept && kept.length > 0 && { tool_calls: kept }) } };
    return { ...data, ...id, choices: [next] };
  }

  #call(call: Json): readonly Json[] {
    if (!isJsonObject(call)) return [call];
    const index = Number(call.index ?? 0);
    if (!this.#places.has(index)) {
      this.#places.set(index, isRecall(call) ? undefined : this.#calls);
      if (!isRecall(call)) this.#calls += 1;
    }
    const at = this.#places.get(index);
    if (at === undefined) return [];
    return [at === index ? call : { ...call, index: at }];
  }

  #ended(frame: Frame): string {
    const { data } = frame;
    if (!data) return frame.raw;
    const choice = choiceOf(data);
    const reason = finishReason(choice.finish_reason, this.#calls > 0);
    const usage = objectIn(data, 'usage');
    const isSame = choice.finish_reason === undefined || reason === choice.finish_reason;
    if (isSame && (this.#output === 0 || !usage)) return frame.raw;
    return withData(
      { ...frame, data: undefined },
      {
        ...data,
        ...(!isSame && { choices: [{ ...choice, finish_reason: reason }] }),
        ...usageWith(usage, CHAT_USAGE, this.#output),
      },
    );
  }
}
