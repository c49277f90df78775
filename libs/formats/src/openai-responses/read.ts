import { defined, isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { isShallow } from '../drafts/content-blocks.js';
import { Named } from '../drafts/doubles.js';
import type { Draft, DraftMessage, DraftSession } from '../drafts/draft.js';
import { listIn, modelNameIn, objectIn, stringIn, timeFrom } from '../drafts/members.js';
import type { Entry } from '../lines/parse-line.js';
import { toolsOf } from '../openai-messages/tools.js';
import { readItem } from '../wires/openai-responses/blocks.js';
import { openAiUsage } from '../wires/openai-usage.js';
import { exchangeOf, ITEM_MEMBERS } from './recognize.js';

/**
 * Reads items of OpenAI's Responses: one a line, or lists of them, each a session. The items of one answer are one
 * message: it holds one answer back.
 */
export async function* readOpenAiResponses(
  entries: AsyncIterable<Entry>,
): AsyncGenerator<Draft, void, undefined> {
  let count = 0;
  let ofLines: ItemSession | undefined;
  let open: ItemSession | undefined;
  function* next(around: JsonObject): Generator<Draft, ItemSession> {
    yield* open?.end() ?? [];
    count += 1;
    open = new ItemSession(count, around);
    yield { kind: 'session', session: open.session };
    return open;
  }
  for await (const entry of entries) {
    if (entry.kind === 'skipped') {
      yield entry;
      continue;
    }
    const { value, line } = entry;
    const exchanges = exchangesIn(value);
    for (const exchange of exchanges) {
      const goesOn = entry.isContinued === true || open?.isFollowedBy(exchange) === true;
      const session: ItemSession = goesOn && open !== undefined ? open : yield* next(exchange);
      yield* session.takeExchange(exchange, line);
    }
    if (exchanges.length > 0) continue;
    ofLines ??= yield* next({});
    yield* ofLines.take(value, line, 'is no item');
  }
  yield* open?.end() ?? [];
}

/** A bare list is treated as a request with it, unless it is a list of exchanges. */
const exchangesIn = (value: Json): readonly JsonObject[] => {
  const list: readonly Json[] = Array.isArray(value) ? value : [value];
  const exchanges = list.map(exchangeOf).filter((exchange) => exchange !== undefined);
  return exchanges.length > 0 || !Array.isArray(value) ? exchanges : [{ input: list }];
};

class ItemSession {
  readonly session: DraftSession;
  #index = 0;
  #answer: DraftMessage | undefined;
  /** The last response, which the next request may name instead of its history. */
  #responseId: string | undefined;
  readonly #named = new Named();

  constructor(ordinal: number, around: JsonObject) {
    const ownId = typeof around.conversation === 'string' ? around.conversation : undefined;
    const model = modelNameIn(around);
    const system = stringIn(around, 'instructions');
    const tools = (listIn(around, 'tools') ?? []).flatMap(toolsOf);
    this.session = {
      key: `items-${ordinal}`,
      ...(ownId !== undefined && { ownId }),
      ...(ordinal > 1 && { ordinal }),
      ...defined({ model, system }),
      ...(tools.length > 0 && { tools }),
    };
  }

  isFollowedBy(exchange: JsonObject): boolean {
    return this.#responseId !== undefined && exchange.previous_response_id === this.#responseId;
  }

  *takeExchange(exchange: JsonObject, line: number): Generator<Draft> {
    for (const member of ITEM_MEMBERS) {
      const { [member]: given } = exchange;
      const items: readonly Json[] =
        typeof given === 'string' ? [{ role: 'user', content: given }] : (listIn(exchange, member) ?? []);
      for (const item of items) yield* this.take(item, line, `holds no item at index ${this.#index}`);
    }
    if (!Array.isArray(exchange.output)) return;
    this.#responseId = stringIn(exchange, 'id');
    this.#bill(exchange);
  }

  *take(item: Json, line: number, reason: string): Generator<Draft> {
    this.#index += 1;
    const read = isJsonObject(item) && isItem(item) && isShallow(item) ? readItem(item) : undefined;
    if (!isJsonObject(item) || read === undefined) {
      yield { kind: 'skipped', line, reason };
      return;
    }
    const id = stringIn(item, 'id');
    const callId = stringIn(item, 'call_id');
    if (this.#named.isDouble(id ?? (callId && `${String(item.type)} ${callId}`), item)) {
      yield { kind: 'skipped', line, reason: 'holds an item that was read before' };
      return;
    }
    const message: DraftMessage = { ...read, ...originOf(item) };
    if (read.role !== 'assistant') {
      yield* this.end();
      yield { kind: 'message', key: this.session.key, message };
    } else if (this.#answer === undefined) this.#answer = message;
    else this.#answer = { ...this.#answer, blocks: [...this.#answer.blocks, ...message.blocks] };
  }

  *end(): Generator<Draft> {
    const message = this.#answer;
    this.#answer = undefined;
    if (message !== undefined) yield { kind: 'message', key: this.session.key, message };
  }

  /** Adds the usage of a response, which stands beside its items. */
  #bill(response: JsonObject): void {
    if (this.#answer === undefined) return;
    const model = modelNameIn(response);
    const usage = openAiUsage(objectIn(response, 'usage'), {
      input: 'input_tokens',
      output: 'output_tokens',
    });
    const { created_at: seconds } = response;
    const createdAt = typeof seconds === 'number' ? timeFrom(seconds * 1000) : undefined;
    this.#answer = {
      ...this.#answer,
      ...(model !== undefined && { model }),
      ...(usage && { usage: { ...(model !== undefined && { model }), ...usage } }),
      ...(createdAt !== undefined && { createdAt }),
    };
  }
}

/** A message has a role and content; any other object with a type is an item, known or not. */
const isItem = (item: JsonObject): boolean =>
  item.type === undefined || item.type === 'message'
    ? typeof item.role === 'string' && (typeof item.content === 'string' || Array.isArray(item.content))
    : typeof item.type === 'string';

const originOf = (item: JsonObject): Pick<DraftMessage, 'id'> => {
  const id = stringIn(item, 'id');
  return id === undefined ? {} : { id };
};
