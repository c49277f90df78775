import { RECALL_TOOL, recallTool } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { listIn, objectIn } from '../../drafts/members.js';
import type { WireFailure } from '../failure.js';
import { outputTokensIn, RESPONSES_USAGE, usageWith } from '../openai-usage.js';
import { type Frame, withData } from '../recall/frames.js';
import type { RecallWire, StreamSplicer } from '../recall/recall-wire.js';

const { name, description, input_schema: parameters } = recallTool;

const isRecall = (item: Json | undefined): boolean =>
  isJsonObject(item) && item.type === 'function_call' && item.name === RECALL_TOOL;

/** OpenAI's Responses. */
export const responsesRecall: RecallWire = {
  tool: {
    type: 'function',
    ...{ name: name ?? RECALL_TOOL, description: description ?? '', parameters: parameters ?? {} },
    strict: false,
  },
  mayHold: () => true,
  joined: (rounds) => {
    const last = rounds.at(-1) ?? {};
    const output = rounds.flatMap((body) => (listIn(body, 'output') ?? []).filter((item) => !isRecall(item)));
    const earlier = rounds.slice(0, -1).reduce((sum, body) => sum + outputOf(objectIn(body, 'usage')), 0);
    return {
      ...last,
      ...(rounds[0]?.id !== undefined && { id: rounds[0].id }),
      output,
      ...usageWith(objectIn(last, 'usage'), RESPONSES_USAGE, earlier),
    };
  },
  stream: () => new ItemSplicer(),
};

const outputOf = (usage: JsonObject | undefined): number => outputTokensIn(usage, RESPONSES_USAGE);

const BEGINNINGS = new Set(['response.created', 'response.in_progress', 'response.queued']);
const ENDS = new Set(['response.completed', 'response.incomplete', 'response.failed']);

class ItemSplicer implements StreamSplicer {
  #round = 0;
  #id: Json | undefined;
  /** Events that the client has got. */
  #sequence = 0;
  #items = 0;
  /** The client's index of each item of this round, without recall calls. */
  #places = new Map<number, number>();
  readonly #output: Json[] = [];
  #isChanged = false;
  #held: Frame[] = [];
  #tokens = 0;

  take(frame: Frame): string {
    const { data } = frame;
    if (!data) return frame.raw;
    const type = String(data.type);
    if (BEGINNINGS.has(type)) {
      this.#id ??= objectIn(data, 'response')?.id;
      return this.#round === 0 ? this.#numbered(frame, data) : '';
    }
    if (ENDS.has(type)) {
      this.#held.push(frame);
      return '';
    }
    if (data.output_index === undefined) return this.#numbered(frame, data);
    const index = Number(data.output_index);
    if (type === 'response.output_item.added') {
      if (isRecall(data.item)) {
        this.#isChanged = true;
        return '';
      }
      this.#places.set(index, this.#items);
      this.#items += 1;
    }
    const at = this.#places.get(index);
    if (at === undefined) return '';
    if (type === 'response.output_item.done') this.#output.push(data.item ?? null);
    return this.#numbered(frame, at === data.output_index ? data : { ...data, output_index: at });
  }

  next(): string {
    for (const { data } of this.#held)
      this.#tokens += outputOf(objectIn(objectIn(data ?? {}, 'response') ?? {}, 'usage'));
    this.#round += 1;
    this.#isChanged = true;
    this.#places = new Map();
    this.#held = [];
    return '';
  }

  end(): string {
    return this.#held.map((frame) => this.#ended(frame)).join('');
  }

  fail({ message, code }: WireFailure): string {
    const data = { type: 'error', code: code ?? null, message, param: null, sequence_number: this.#sequence };
    return `event: error\ndata: ${JSON.stringify(data)}\n\n`;
  }

  #ended(frame: Frame): string {
    const { data } = frame;
    const response = data && objectIn(data, 'response');
    if (!data || !response || !this.#isChanged) return data ? this.#numbered(frame, data) : frame.raw;
    const joined = {
      ...response,
      ...(this.#id !== undefined && { id: this.#id }),
      output: this.#output,
      ...usageWith(objectIn(response, 'usage'), RESPONSES_USAGE, this.#tokens),
    };
    return this.#numbered(frame, { ...data, response: joined });
  }

  #numbered(frame: Frame, data: JsonObject): string {
    const number = this.#sequence;
    this.#sequence += 1;
    if (data.sequence_number === undefined || data.sequence_number === number) return withData(frame, data);
    return withData(frame, { ...data, sequence_number: number });
  }
}
