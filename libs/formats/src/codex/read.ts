import { defined, isJsonObject, type JsonObject } from '@app/kernel';
import { isShallow } from '../drafts/content-blocks.js';
import { DOUBLE, Doubles, UNKNOWN_KIND } from '../drafts/doubles.js';
import type { Draft, DraftMessage } from '../drafts/draft.js';
import { listIn, modelNameIn, objectIn, stringIn, timeFrom } from '../drafts/members.js';
import { projectIn } from '../drafts/project.js';
import { draftsOf, type LineRecord } from '../drafts/records.js';
import type { Entry } from '../lines/parse-line.js';
import { Compactions } from './compacted.js';
import { itemOfCodex } from './item.js';
import { OpenResponse } from './open-response.js';
import { isOldDocument, isOldHeader } from './recognize.js';
import { Turns } from './turns.js';

/**
 * Reads a Codex rollout: items of the history in wire format, and internal records, of which compactions, models and
 * usage are used. Buffers one open response.
 */
export function readCodex(entries: AsyncIterable<Entry>): AsyncIterable<Draft> {
  const doubles = new Doubles();
  let [rollout, count] = [new Rollout('rollout'), 1];
  function* take({ record, line }: LineRecord): Generator<Draft, void, undefined> {
    if (KEPT.has(String(record.type)) && doubles.isDouble(record)) {
      yield { kind: 'skipped', line, reason: DOUBLE };
      return;
    }
    if (rollout.isFollowedBy(record)) {
      yield* rollout.close();
      count += 1;
      rollout = new Rollout(`rollout-${count}`, count);
    }
    yield* rollout.take(record, line);
  }
  return draftsOf(
    entries,
    function* (found) {
      for (const record of recordsIn(found.record)) yield* take({ ...found, record });
    },
    () => rollout.close(),
  );
}

/** The records of a document of the first program, as a later file has them on its lines. */
const recordsIn = (record: JsonObject): readonly JsonObject[] =>
  isOldDocument(record)
    ? [
        { type: 'session_meta', payload: objectIn(record, 'session') ?? {} },
        ...(listIn(record, 'items') ?? []).filter(isJsonObject),
      ]
    : [record];

/** Types whose repetition is intended. */
const KEPT = new Set(['response_item', 'compacted']);

class Rollout {
  /** The first record's session properties; a branch inherits those of its source. */
  #meta: JsonObject | undefined;
  #isOpen = false;
  #model: string | undefined;
  #window: number | undefined;
  readonly #response = new OpenResponse();
  readonly #compactions = new Compactions();
  readonly #turns: Turns;
  /** Ids of the session and of its sources, whose headers are part of the history. */
  readonly #ids = new Set<string>();
  #compacted = 0;
  #hasBegun = false;

  /** @param ordinal distinguishes rollouts without ids in one file. */
  constructor(
    key: string,
    private readonly ordinal?: number,
  ) {
    this.#turns = new Turns(key);
  }

  /** Returns whether a record begins another session. A forked session begins with its source's header. */
  isFollowedBy(record: JsonObject): boolean {
    const meta = metaIn(record);
    return this.#hasBegun && meta !== undefined && !this.#ids.has(stringIn(meta, 'id') ?? '');
  }

  *take(record: JsonObject, line: number): Generator<Draft, void, undefined> {
    if (!isShallow(record)) {
      yield { kind: 'skipped', line, reason: 'is nested too deep' };
      return;
    }
    const meta = metaIn(record);
    if (meta) {
      this.#meta ??= meta;
      this.#ids.add(stringIn(meta, 'id') ?? '');
      return;
    }
    const payload = objectIn(record, 'payload') ?? {};
    switch (record.type) {
      case 'turn_context':
        this.#model = modelNameIn(payload) ?? this.#model;
        return;
      case 'event_msg':
        yield* this.#event(payload);
        return;
      case 'response_item':
        yield* this.#item(payload, record, line);
        return;
      case 'inter_agent_communication':
        yield* this.#item(agentMessage(payload), record, line);
        return;
      case 'compacted':
        yield* this.#compaction(payload, record);
        return;
      default:
        // Rollouts of the first versions hold items as they are, and states of Codex's own between them.
        if (!('payload' in record) && 'type' in record) yield* this.#item(record, record, line);
        else if (!isNote(record)) yield { kind: 'skipped', line, reason: UNKNOWN_KIND };
    }
  }

  *close(): Generator<Draft, void, undefined> {
    yield* this.#messages(this.#response.close());
  }

  /** Handles display events: usage, turn starts and rollbacks. */
  *#event(payload: JsonObject): Generator<Draft, void, undefined> {
    this.#window = windowIn(payload) ?? this.#window;
    switch (payload.type) {
      case 'token_count':
        yield* this.#messages(this.#response.takeBill(objectIn(payload, 'info'), this.#model));
        return;
      case 'user_message':
        this.#turns.begin();
        return;
      case 'item_completed':
        if (objectIn(payload, 'item')?.type === 'UserMessage') this.#turns.begin();
        return;
      case 'thread_rolled_back':
        yield* this.#messages(this.#response.close());
        if (this.#turns.takeBack(Number(payload.num_turns))) this.#isOpen = false;
    }
  }

  *#item(payload: JsonObject, record: JsonObject, line: number): Generator<Draft, void, undefined> {
    if (stringIn(payload, 'type') === undefined) {
      yield { kind: 'skipped', line, reason: 'is an item of no kind' };
      return;
    }
    this.#hasBegun = true;
    const item = itemOfCodex(payload);
    if (!item) return;
    if (item.blocks.length === 0) {
      yield { kind: 'skipped', line, reason: 'is a message without usable content' };
      return;
    }
    this.#compactions.note(item);
    yield* this.#messages(this.#response.take(item, timeFrom(record.timestamp), this.#model));
  }

  *#compaction(payload: JsonObject, record: JsonObject): Generator<Draft, void, undefined> {
    yield* this.#messages(this.#response.close());
    yield* this.#open();
    const provider = stringIn(this.#meta ?? {}, 'model_provider') ?? 'openai';
    this.#compacted += 1;
    const id = stringIn(payload, 'window_id') ?? `compaction-${this.#compacted}`;
    const createdAt = timeFrom(record.timestamp);
    const agentVersion = stringIn(this.#meta ?? {}, 'cli_version');
    const compaction = {
      ...this.#compactions.compactionOf(payload, provider),
      id,
      ...(createdAt !== undefined && { createdAt }),
      ...(this.#model !== undefined && { model: this.#model }),
      ...(agentVersion !== undefined && { agentVersion }),
    };
    this.#turns.noteCompaction(id);
    yield { kind: 'compaction', key: this.#turns.session.key, compaction };
  }

  *#messages(messages: readonly DraftMessage[]): Generator<Draft, void, undefined> {
    if (messages.length > 0) yield* this.#open();
    for (const message of messages) {
      this.#turns.noteMessage(message);
      yield { kind: 'message', key: this.#turns.session.key, message };
    }
  }

  *#open(): Generator<Draft, void, undefined> {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const meta = this.#meta ?? {};
    const ownId = stringIn(meta, 'id');
    const parentOwnId = parentIn(meta);
    const old = isOldHeader(meta) ? stringIn(meta, 'instructions') : undefined;
    const system = stringIn(objectIn(meta, 'base_instructions') ?? {}, 'text') ?? old;
    yield {
      kind: 'session',
      session: {
        ...this.#turns.session,
        ...(ownId !== undefined && { ownId }),
        ...(this.ordinal !== undefined && { ordinal: this.ordinal }),
        ...(parentOwnId !== undefined && { parentOwnId }),
        ...(this.#model !== undefined && { model: this.#model }),
        ...(this.#window !== undefined && { window: this.#window }),
        ...(system !== undefined && { system }),
        ...projectIn({
          repository: stringIn(objectIn(meta, 'git') ?? {}, 'repository_url'),
          folder: stringIn(meta, 'cwd'),
        }),
      },
    };
  }
}

/** Returns whether the record is internal state of Codex. */
const isNote = ({ type, ...record }: JsonObject): boolean =>
  'record_type' in record || NOTES.has(String(type));
const NOTES = new Set(['inter_agent_communication_metadata', 'world_state', 'security_risk_score']);

/** Converts the earlier form of another agent's message to the current one. */
const agentMessage = ({ author, recipient, content }: JsonObject): JsonObject => ({
  type: 'agent_message',
  ...defined({ author, recipient }),
  content: [{ type: 'input_text', text: content ?? '' }],
});

/** Returns the session properties of a header record. */
const metaIn = (record: JsonObject): JsonObject | undefined => {
  if (record.type === 'session_meta') return objectIn(record, 'payload');
  return isOldHeader(record) ? record : undefined;
};

/** Returns the context window, which Codex writes at turn starts and with each usage. */
const windowIn = (payload: JsonObject): number | undefined => {
  const window = payload.model_context_window ?? objectIn(payload, 'info')?.model_context_window;
  return typeof window === 'number' && Number.isSafeInteger(window) && window > 0 ? window : undefined;
};

/** The session that has started this one as its sub-agent; its rollout is another file. */
const parentIn = (meta: JsonObject): string | undefined => {
  const spawn = objectIn(objectIn(objectIn(meta, 'source') ?? {}, 'subagent') ?? {}, 'thread_spawn');
  return stringIn(meta, 'parent_thread_id') ?? (spawn && stringIn(spawn, 'parent_thread_id'));
};
