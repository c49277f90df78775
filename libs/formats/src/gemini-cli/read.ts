import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { Named } from '../drafts/doubles.js';
import { behindMessage, type Draft, type DraftCompaction, type DraftMessage } from '../drafts/draft.js';
import { listIn, objectIn, stringIn, timeFrom } from '../drafts/members.js';
import type { Entry } from '../lines/parse-line.js';
import type { Retained } from '../transcript.js';
import { AnsweredCalls } from './answered-calls.js';
import { isNote, messageOfContent, messagesOfGemini } from './convert-message.js';
import { maskedCalls } from './masked.js';
import { contentsIn } from './recognize.js';

/**
 * Reads sessions of Gemini CLI: one document, or one record a line, of which a later one with the same id is a later
 * state of the same message. Holds the message that may still change.
 */
export async function* readGeminiCli(entries: AsyncIterable<Entry>): AsyncGenerator<Draft, void, undefined> {
  const log = new GeminiLog();
  for await (const entry of entries) {
    if (entry.kind === 'skipped') yield entry;
    else yield* log.take(entry.value, entry.line);
  }
  yield* log.end();
}

class GeminiLog {
  #calls = new AnsweredCalls();
  #key: string | undefined;
  #ownId: string | undefined;
  #rewinds = 0;
  /** The records of the session that were read, and the last message of each. */
  #path: { readonly recordId: string | undefined; readonly messageId: string | undefined }[] = [];
  readonly #opened = new Set<string>();
  /** Ids of a rewritten history. */
  readonly #closedIds = new Set<string>();
  #named = new Named();
  readonly #masked = new Set<string>();
  /** The last message: its calls, their results and its cost are recorded by writing it again. */
  #last: { readonly record: JsonObject; readonly line: number } | undefined;

  *take(value: Json, line: number): Generator<Draft> {
    const contents = contentsIn(value);
    if (contents !== undefined) yield* this.#takeContents(contents, line);
    else if (!isJsonObject(value)) yield skipped(line, 'is not a record');
    else yield* this.#takeRecord(value, line);
  }

  *end(): Generator<Draft> {
    yield* this.#closeLast();
  }

  *#takeContents(contents: readonly Json[], line: number): Generator<Draft> {
    yield* this.#open(undefined);
    for (const [index, content] of contents.entries()) {
      const message = messageOfContent(content, this.#calls);
      if (message) yield { kind: 'message', key: this.#sessionKey, message };
      else yield skipped(line, `holds no usable message at index ${index}`);
    }
  }

  *#takeRecord(record: JsonObject, line: number): Generator<Draft> {
    const ownId = stringIn(record, 'sessionId');
    if (ownId !== undefined) yield* this.#open(ownId);
    const messages = listIn(record, 'messages');
    if (messages !== undefined) {
      for (const [index, message] of messages.entries()) {
        if (isJsonObject(message)) yield* this.#takeMessage(message, line);
        else yield skipped(line, `holds no usable message at index ${index}`);
      }
      return;
    }
    const rewound = stringIn(record, '$rewindTo');
    if (rewound !== undefined) yield* this.#rewind(rewound);
    const changed = listIn(objectIn(record, '$set') ?? {}, 'messages');
    if (changed !== undefined) yield* this.#rewrite(changed);
    if (ownId !== undefined || rewound !== undefined || objectIn(record, '$set') || isNote(record)) return;
    yield* this.#takeMessage(record, line);
  }

  /** Rewinds: the undone part stays a session, and later messages form a branch. */
  *#rewind(recordId: string): Generator<Draft> {
    yield* this.#closeLast();
    const at = this.#path.findIndex((step) => step.recordId === recordId);
    const before = this.#path.slice(0, Math.max(at, 0));
    if (this.#key === undefined || this.#path.length === before.length) return;
    this.#rewinds += 1;
    const name = `rewind-${this.#rewinds}`;
    const fork = { name, fromKey: this.#key, behind: behindMessage(before.at(-1)?.messageId) };
    this.#key = `${this.#ownId ?? UNNAMED}.${name}`;
    this.#path = before;
    const ownId = this.#ownId === undefined ? {} : { ownId: this.#ownId };
    yield { kind: 'session', session: { key: this.#key, ...ownId, fork } };
  }

  /**
   * Replaces the history: a new beginning is a summary by the agent. Masked outputs are cleared; messages omitted
   * without a summary stay.
   */
  *#rewrite(messages: readonly Json[]): Generator<Draft> {
    yield* this.#closeLast();
    const known = new Map(this.#path.map((step, at) => [step.recordId, at]));
    const [first, ...rest] = messages.filter(isJsonObject).filter((message) => !isNote(message));
    const firstId = first && stringIn(first, 'id');
    if (first === undefined || this.#key === undefined) return;
    if (known.has(firstId)) {
      yield* this.#mask(this.#key, maskedCalls(messages));
      return;
    }
    const summary = textOf(messagesOfGemini(first, new AnsweredCalls()) ?? []);
    if (first.type !== 'user' || summary === '') return;
    const calls = new AnsweredCalls();
    const kept = rest
      .map((message) => ({
        id: stringIn(message, 'id'),
        messages: messagesOfGemini(message, calls) ?? [],
      }))
      // Repeated results are not earlier records of the log.
      .filter(({ messages: found }) => found.length > 0);
    const ids = kept.map(({ id }) => id);
    const tail = this.#path.length - kept.length;
    const isTail = ids.every((id, at) => known.get(id) === tail + at);
    const listed = kept.flatMap(({ messages: found }) => found);
    const from = ids[0];
    const retained: Retained =
      kept.length === 0
        ? { kind: 'none' }
        : isTail && from !== undefined
          ? { kind: 'from', messageId: from }
          : { kind: 'listed', messages: listed.map(({ role, blocks }) => ({ role, blocks })) };
    const createdAt = timeFrom(first.timestamp);
    const compaction: DraftCompaction = {
      ...(firstId !== undefined && { id: firstId }),
      summary,
      retained,
      ...(createdAt !== undefined && { createdAt }),
    };
    for (const id of [firstId, ...rest.map((message) => stringIn(message, 'id'))])
      if (id !== undefined) this.#closedIds.add(id);
    this.#path = [
      { recordId: firstId, messageId: undefined },
      ...this.#path.slice(isTail ? tail : this.#path.length),
    ];
    yield { kind: 'compaction', key: this.#key, compaction };
  }

  *#mask(key: string, callIds: readonly string[]): Generator<Draft> {
    const fresh = [...new Set(callIds)].filter((id) => !this.#masked.has(id));
    for (const id of fresh) this.#masked.add(id);
    if (fresh.length > 0) yield { kind: 'pruning', key, pruning: { callIds: fresh } };
  }

  *#takeMessage(record: JsonObject, line: number): Generator<Draft> {
    if (isNote(record)) return;
    const id = stringIn(record, 'id');
    if (!isLaterOf(this.#last?.record, record)) yield* this.#closeLast();
    if ((id !== undefined && this.#closedIds.has(id)) || this.#named.isDouble(id, record)) {
      yield skipped(line, 'is a message that was read before');
      return;
    }
    this.#last = { record, line };
  }

  *#closeLast(): Generator<Draft> {
    const last = this.#last;
    if (last === undefined) return;
    this.#last = undefined;
    const id = stringIn(last.record, 'id');
    const messages = messagesOfGemini(last.record, this.#calls);
    if (messages === undefined) {
      yield skipped(last.line, 'is a message of a kind or shape that is not known');
      return;
    }
    if (this.#key === undefined) yield* this.#open(undefined);
    for (const message of messages) yield { kind: 'message', key: this.#sessionKey, message };
    this.#path.push({ recordId: id, messageId: messages.at(-1)?.id });
  }

  get #sessionKey(): string {
    return this.#key ?? UNNAMED;
  }

  /** A header with another id opens a further session. */
  *#open(ownId: string | undefined): Generator<Draft> {
    if (this.#key !== undefined && ownId === this.#ownId) return;
    yield* this.#closeLast();
    const key = ownId ?? UNNAMED;
    [this.#key, this.#ownId] = [key, ownId];
    if (this.#opened.has(key)) return;
    this.#opened.add(key);
    this.#calls = new AnsweredCalls();
    this.#closedIds.clear();
    this.#masked.clear();
    this.#named = new Named();
    this.#path = [];
    yield { kind: 'session', session: { key, ...(ownId !== undefined && { ownId }) } };
  }
}

/** Returns whether a record is a later state of the same message, whose time is that of its beginning. */
const isLaterOf = (last: JsonObject | undefined, { id, type, timestamp }: JsonObject): boolean =>
  id !== undefined && last?.id === id && last.type === type && last.timestamp === timestamp;

const UNNAMED = 'unnamed';
const skipped = (line: number, reason: string): Draft => ({ kind: 'skipped', line, reason });

const textOf = (messages: readonly DraftMessage[]): string =>
  messages
    .flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'text' ? [String(block.text)] : [])))
    .join('\n');
