import type { Block } from '@app/domain';
import { defined, isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { CallLedger } from '../drafts/call-ledger.js';
import type { Draft, DraftCompaction, DraftMessage, DraftSession } from '../drafts/draft.js';
import { IdTable } from '../drafts/id-index/id-table.js';
import { modelNameIn, objectIn } from '../drafts/members.js';
import { draftsOf, type LineRecord } from '../drafts/records.js';
import type { Entry } from '../lines/parse-line.js';
import { toolsOf } from '../openai-messages/tools.js';
import { foundInFirst } from './first-version.js';
import type { Condensation, Found } from './found.js';
import { eventsIn, isEvent, isOfSdk } from './recognize.js';
import { foundInSdk } from './sdk/agent-sdk.js';
import { View } from './view.js';

/**
 * Reads events of OpenHands: one a line, or lists of them, each a session. The calls of one response are one message.
 * Sub-agents that the agent delegates to become sessions of their own.
 */
export const readOpenHands = (entries: AsyncIterable<Entry>): AsyncIterable<Draft> => {
  let count = 0;
  const next = (model?: string): OpenSession => {
    count += 1;
    return new OpenSession(count, model);
  };
  let open: OpenSession | undefined;
  let ofLines: OpenSession | undefined;

  function* take({ record, line, isContinued }: LineRecord): Generator<Draft> {
    const events = eventsIn(record);
    if (events === undefined) {
      ofLines ??= next();
      yield* ofLines.take(record, line, 'is no event that is known');
      return;
    }
    if (open === undefined || !isContinued) {
      yield* open?.close() ?? [];
      open = next(
        events.some((event) => isJsonObject(event) && isOfSdk(event)) ? modelIn(record) : undefined,
      );
    }
    yield* takeList(open, events, line);
  }
  function* takeList(session: OpenSession, events: readonly Json[], line: number): Generator<Draft> {
    for (const [index, event] of events.entries()) {
      yield* session.take(event, line, `holds no event that is known at index ${index}`);
    }
  }
  /** Treats a bare list as the object that would contain it. */
  async function* unwrapped(): AsyncGenerator<Entry> {
    for await (const entry of entries) {
      const isList = entry.kind === 'record' && Array.isArray(entry.value);
      yield isList ? { ...entry, value: { events: entry.value } } : entry;
    }
  }
  return draftsOf(unwrapped(), take, function* () {
    yield* open?.close() ?? [];
    yield* ofLines?.close() ?? [];
  });
};

/** Returns the model in a benchmark line; events of the agent SDK do not name it. */
const modelIn = (record: JsonObject): string | undefined => {
  const metadata = objectIn(record, 'metadata') ?? {};
  return modelNameIn(objectIn(metadata, 'llm') ?? objectIn(metadata, 'llm_config') ?? {});
};

/** The events of one session, and of the sub-agents in it. */
class OpenSession {
  readonly #calls = new CallLedger();
  readonly #opened = new Set<string>();
  readonly #seen = new IdTable();
  #prompt: Pick<DraftSession, 'system' | 'tools' | 'model'> = {};
  readonly #view = new View();
  /** The response whose further calls may still come, and the events that it is made of. */
  #last:
    | { readonly responseId: string; readonly eventIds: readonly string[]; readonly message: DraftMessage }
    | undefined;
  #delegate: string | undefined;
  /** Calls of other agents that have no result yet. */
  readonly #outside = new Map<string, DraftMessage>();

  /** @param model that its events are not known to tell. */
  constructor(
    private readonly ordinal: number,
    model: string | undefined,
  ) {
    if (model !== undefined) this.#prompt = { model };
  }

  *take(event: Json, line: number, unknown: string): Generator<Draft> {
    if (!isJsonObject(event) || !isEvent(event)) {
      yield { kind: 'skipped', line, reason: unknown };
      return;
    }
    const { id } = event;
    const key = JSON.stringify(id ?? null);
    if (id !== undefined && this.#seen.has(key)) {
      yield { kind: 'skipped', line, reason: 'holds an event that was read before' };
      return;
    }
    this.#seen.add(key);
    const eventId = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
    yield* this.#takeFound(this.#find(event), eventId, line);
  }

  /** The last of it, and the calls that were never answered. */
  *close(): Generator<Draft> {
    yield* this.end();
    for (const call of this.#outside.values()) yield* this.#say(call, []);
    this.#outside.clear();
  }

  *end(): Generator<Draft> {
    const last = this.#last;
    this.#last = undefined;
    if (last !== undefined) yield* this.#say(last.message, last.eventIds);
  }

  #find(event: JsonObject): Found {
    return isOfSdk(event) ? foundInSdk(event) : foundInFirst(event, this.#calls);
  }

  *#takeFound(found: Found, eventId: string, line: number): Generator<Draft> {
    switch (found.kind) {
      case 'nothing':
        return;
      case 'unusable':
        yield { kind: 'skipped', line, reason: 'holds an event without usable content' };
        return;
      case 'prompt':
        if (this.#opened.size === 0) this.#prompt = { ...this.#prompt, ...promptOf(found) };
        return;
      case 'model':
        this.#prompt = { ...this.#prompt, model: found.model };
        return;
      case 'message':
        yield* this.#takeMessage(found.message, eventId, found.responseId);
        return;
      case 'outside-call':
        yield* this.#takeOutside(found, eventId);
        return;
      case 'delegation':
        yield* this.end();
        yield* this.#say(found.message, [eventId]);
        this.#delegate = found.name;
        return;
      case 'delegated':
        yield* this.end();
        this.#delegate = undefined;
        yield* this.#say(found.message, [eventId]);
        return;
      case 'condensation':
        yield* this.end();
        yield* this.#condense(found.condensation);
    }
  }

  *#takeOutside(
    { callId, call, result }: Extract<Found, { kind: 'outside-call' }>,
    eventId: string,
  ): Generator<Draft> {
    const key = `outside ${callId}`;
    if (this.#seen.has(key)) return;
    if (result === undefined) {
      this.#outside.set(callId, call);
      return;
    }
    this.#seen.add(key);
    this.#outside.delete(callId);
    yield* this.end();
    yield* this.#say(call, [eventId]);
    yield* this.#say(result, [eventId]);
  }

  /** A condensation before the first message condenses nothing. */
  *#condense({ id, summary, createdAt, forgotten }: Condensation): Generator<Draft> {
    if (!this.#opened.has(this.#key)) return;
    const compaction: DraftCompaction = {
      ...(id !== undefined && { id: `condensation-${id}` }),
      ...defined({ summary, createdAt }),
      retained: this.#view.condense(forgotten),
    };
    yield { kind: 'compaction', key: this.#key, compaction };
  }

  *#takeMessage(message: DraftMessage, eventId: string, responseId: string | undefined): Generator<Draft> {
    const last = this.#last;
    if (last !== undefined && responseId === last.responseId) {
      const eventIds = [...last.eventIds, eventId];
      this.#last = { responseId, eventIds, message: joined(last.message, message) };
      return;
    }
    // A response of which every call is recorded with each of them: results come between.
    if (responseId !== undefined && this.#seen.has(`response ${responseId}`)) return;
    yield* this.end();
    if (responseId === undefined) yield* this.#say(message, [eventId]);
    else {
      this.#seen.add(`response ${responseId}`);
      this.#last = { responseId, eventIds: [eventId], message };
    }
  }

  get #key(): string {
    return `${this.ordinal}${this.#delegate === undefined ? '' : `.${this.#delegate}`}`;
  }

  *#say(message: DraftMessage, eventIds: readonly string[]): Generator<Draft> {
    const key = this.#key;
    if (!this.#opened.has(key)) {
      this.#opened.add(key);
      const main = String(this.ordinal);
      const ordinal = this.ordinal > 1 ? { ordinal: this.ordinal } : {};
      const chain = this.#delegate === undefined ? {} : { chain: { name: this.#delegate, parentKey: main } };
      yield { kind: 'session', session: { key, ...ordinal, ...(key === main && this.#prompt), ...chain } };
    }
    if (this.#delegate === undefined) this.#view.add(eventIds, message);
    yield { kind: 'message', key, message };
  }
}

const promptOf = ({ system, tools }: Extract<Found, { kind: 'prompt' }>) => {
  const listed = tools.flatMap(toolsOf);
  return { ...(system !== '' && { system }), ...(listed.length > 0 && { tools: listed }) };
};

/** The blocks that the response is not known to hold: some versions record all its calls with each of them. */
const joined = (first: DraftMessage, next: DraftMessage): DraftMessage => {
  const known = new Set(first.blocks.map((block: Block) => JSON.stringify(block)));
  return {
    ...first,
    blocks: [...first.blocks, ...next.blocks.filter((block) => !known.has(JSON.stringify(block)))],
  };
};
