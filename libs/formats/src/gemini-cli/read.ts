import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import type { Draft } from '../drafts/draft.js';
import { listIn, objectIn, stringIn } from '../drafts/members.js';
import type { Entry } from '../lines/parse-line.js';
import { CallLedger } from '../openai-messages/call-ledger.js';
import { isNote, messageOfContent, messagesOfGemini } from './convert-message.js';
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
  #calls = new CallLedger();
  #key: string | undefined;
  readonly #opened = new Set<string>();
  readonly #closedIds = new Set<string>();
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
    if (ownId !== undefined || objectIn(record, '$set') || isNote(record)) return;
    yield* this.#takeMessage(record, line);
  }

  *#takeMessage(record: JsonObject, line: number): Generator<Draft> {
    if (isNote(record)) return;
    const id = stringIn(record, 'id');
    const isLater = id !== undefined && id === stringIn(this.#last?.record ?? {}, 'id');
    if (!isLater) yield* this.#closeLast();
    if (id !== undefined && this.#closedIds.has(id)) {
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
    if (id !== undefined) this.#closedIds.add(id);
    const messages = messagesOfGemini(last.record, this.#calls);
    if (messages === undefined) {
      yield skipped(last.line, 'is a message of a kind or shape that is not known');
      return;
    }
    if (this.#key === undefined) yield* this.#open(undefined);
    for (const message of messages) yield { kind: 'message', key: this.#sessionKey, message };
  }

  get #sessionKey(): string {
    return this.#key ?? UNNAMED;
  }

  /** A header with another id opens a further session. */
  *#open(ownId: string | undefined): Generator<Draft> {
    const key = ownId ?? UNNAMED;
    if (key !== this.#key) {
      yield* this.#closeLast();
      this.#calls = new CallLedger();
      this.#closedIds.clear();
    }
    this.#key = key;
    if (this.#opened.has(key)) return;
    this.#opened.add(key);
    yield { kind: 'session', session: { key, ...(ownId !== undefined && { ownId }) } };
  }
}

const UNNAMED = 'unnamed';
const skipped = (line: number, reason: string): Draft => ({ kind: 'skipped', line, reason });
