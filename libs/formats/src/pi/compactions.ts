import { isText } from '@app/domain';
import { isJsonObject, type JsonObject } from '@app/kernel';
import { contentBlocks } from '../drafts/content-blocks.js';
import type { DraftCompaction } from '../drafts/draft.js';
import { listIn, objectIn, stringIn, timeFrom, usageFrom } from '../drafts/members.js';
import type { Retained } from '../transcript.js';
import { messageOfPi, PI_USAGE } from './convert-message.js';

/** The next message after each record, for a session's compactions. */
export class KeptFrom {
  /** The first message after each record that is not a message, by record id. */
  readonly #next = new Map<string, string>();
  #waiting: string[] = [];
  /** Messages before each record of a list, whose records have no IDs. */
  readonly #before: number[] = [];
  #messages = 0;

  /** To be called for every record, in their order. */
  note(record: JsonObject, isMessage: boolean): void {
    this.#before.push(this.#messages);
    const id = stringIn(record, 'id');
    if (!isMessage) {
      if (id !== undefined && record.type !== 'session') this.#waiting.push(id);
      return;
    }
    this.#messages += 1;
    for (const one of this.#waiting.splice(0)) this.#next.set(one, id ?? `message-${this.#messages}`);
  }

  /** Returns the messages kept by a compaction: from an id or a list index on, or those stored in the compaction. */
  retainedBy(compaction: JsonObject): Retained {
    const { firstKeptEntryId: id, firstKeptEntryIndex: at } = compaction;
    if (typeof id === 'string') return { kind: 'from', messageId: this.#next.get(id) ?? id };
    const tail = (listIn(compaction, 'retainedTail') ?? [])
      .filter(isJsonObject)
      .flatMap((message) => messageOfPi(message) ?? [])
      .filter(({ blocks }) => blocks.length > 0);
    if (tail.length > 0)
      return { kind: 'listed', messages: tail.map(({ role, blocks }) => ({ role, blocks })) };
    const before = typeof at === 'number' ? this.#before[at] : undefined;
    return before === undefined || before >= this.#messages
      ? { kind: 'none' }
      : { kind: 'from', messageId: `message-${before + 1}` };
  }
}

/** Returns a recorded compaction; `undefined` without a summary. */
export const compactionOfPi = (record: JsonObject, kept: KeptFrom): DraftCompaction | undefined => {
  const summary = (contentBlocks(record.summary) ?? [])
    .filter(isText)
    .map(({ text }) => text)
    .join('\n\n');
  if (summary === '') return undefined;
  const [id, createdAt] = [stringIn(record, 'id'), timeFrom(record.timestamp)];
  const { tokensBefore } = record;
  const usage = usageFrom(objectIn(record, 'usage'), PI_USAGE, undefined);
  const isCount = typeof tokensBefore === 'number' && Number.isSafeInteger(tokensBefore) && tokensBefore >= 0;
  return {
    ...(id !== undefined && { id }),
    summary,
    retained: kept.retainedBy(record),
    ...(createdAt !== undefined && { createdAt }),
    ...(isCount && { tokensBefore }),
    ...(usage && { usage }),
  };
};
