import { defined, isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { IdTable } from '../../drafts/id-index/id-table.js';
import { listIn, objectIn, stringIn } from '../../drafts/members.js';

/** Input of the user, or of a background task, that was queued while the model was working. */
type QueuedInput = { readonly text: string; readonly record: JsonObject };

/** Maximum of queued inputs. */
const WAITING_MAX = 256;

/**
 * The queue of input during the model's work. Versions with attachments record dequeued input there; others record it
 * only when it is queued.
 */
export class Queue {
  #waiting: QueuedInput[] = [];
  /** Taken out, and given to the model with the results of its calls. */
  #taken: QueuedInput[] = [];
  #responseId: string | undefined;
  #keepsAttachments = false;
  readonly #met = new IdTable();

  /** Takes every record in file order; returns the queued input before it as messages. */
  before(record: JsonObject): readonly JsonObject[] {
    if (record.isSidechain === true) return [];
    switch (record.type) {
      case 'queue-operation':
        this.#note(record);
        return [];
      case 'attachment':
        this.#keepsAttachments = true;
        this.#taken = [];
        this.#forget(wordsIn(objectIn(record, 'attachment')?.prompt));
        return [];
      case 'assistant':
        return this.#beforeResponse(stringIn(objectIn(record, 'message') ?? {}, 'id'));
      case 'user':
        return this.#beforeUser(record);
      default:
        return [];
    }
  }

  /** Returns the input that no record follows. */
  rest(): readonly JsonObject[] {
    const rest = this.#taken.map(({ record }) => record);
    this.#taken = [];
    return rest;
  }

  #note(operation: JsonObject): void {
    const text = stringIn(operation, 'content');
    switch (operation.operation) {
      case 'enqueue':
        if (text === undefined || !this.#met.add(`${String(operation.timestamp)} ${text}`)) return;
        this.#waiting = [...this.#waiting, askedIn(operation, text)].slice(-WAITING_MAX);
        return;
      case 'dequeue':
        this.#take(text);
        return;
      case 'popAll':
        this.#waiting = [];
        return;
      case 'remove': {
        const taken = this.#take(text);
        const wasGiven = operation.reason === undefined || operation.reason === 'absorbed_mid_turn';
        if (taken && wasGiven && !this.#keepsAttachments) this.#taken.push(taken);
      }
    }
  }

  #take(text: string | undefined): QueuedInput | undefined {
    const at = text === undefined ? 0 : this.#waiting.findIndex((asked) => asked.text === text);
    const [taken] = at < 0 ? [] : this.#waiting.slice(at, at + 1);
    this.#waiting = this.#waiting.filter((asked) => asked !== taken);
    return taken;
  }

  /** Removes input that has a record of its own. */
  #forget(text: string): void {
    if (text === '') return;
    this.#waiting = this.#waiting.filter((asked) => asked.text !== text);
    this.#taken = this.#taken.filter((asked) => asked.text !== text);
  }

  /** Input delivered with the results of the previous response, which continues while its id is the same. */
  #beforeResponse(id: string | undefined): readonly JsonObject[] {
    if (id !== undefined && id === this.#responseId) return [];
    this.#responseId = id;
    return this.rest();
  }

  #beforeUser({ message, isMeta }: JsonObject): readonly JsonObject[] {
    const content = isJsonObject(message) ? message.content : undefined;
    const results = isJsonObject(message) ? (listIn(message, 'content') ?? []).filter(isResult) : [];
    if (results.length > 0) {
      if (this.#waiting.length + this.#taken.length > 0) this.#forgetWithin(JSON.stringify(results));
      return [];
    }
    if (isMeta === true) return [];
    this.#forget(wordsIn(content));
    this.#responseId = undefined;
    return this.rest();
  }

  /** Some versions write queued input into the result that it was delivered with. */
  #forgetWithin(results: string): void {
    for (const { text } of [...this.#waiting, ...this.#taken])
      if (results.includes(JSON.stringify(`${INTRODUCED}${text}`).slice(1, -1))) this.#forget(text);
  }
}
const INTRODUCED = 'while you were working:\n';

const askedIn = ({ sessionId, timestamp }: JsonObject, text: string): QueuedInput => ({
  text,
  record: {
    type: 'user',
    isMeta: true,
    isQueued: true,
    ...defined({ sessionId, timestamp }),
    message: { role: 'user', content: text },
  },
});

const isResult = (block: Json): boolean => isJsonObject(block) && block.type === 'tool_result';

const wordsIn = (content: Json | undefined): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((block: Json) => (isJsonObject(block) && block.type === 'text' ? [String(block.text)] : []))
    .join('\n');
};
