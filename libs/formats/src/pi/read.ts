import { isJsonObject, type JsonObject } from '@app/kernel';
import { contentBlocks } from '../drafts/content-blocks.js';
import type { Draft, DraftMessage } from '../drafts/draft.js';
import { objectIn, stringIn, timeFrom } from '../drafts/members.js';
import type { Entry } from '../lines/parse-line.js';
import { blockOfPi } from './convert-block.js';
import { messageOfPi, summaryOfPi } from './convert-message.js';

/**
 * Reads a session log of pi: a header, then one record a line. Messages come in the order of the file, those
 * of branches that were left included. A further header with another id opens a further session.
 */
export async function* readPi(entries: AsyncIterable<Entry>): AsyncGenerator<Draft, void, undefined> {
  let header: JsonObject = {};
  let model: string | undefined;
  const opened = new Set<string>();
  for await (const entry of entries) {
    if (entry.kind === 'skipped') {
      yield entry;
      continue;
    }
    if (!isJsonObject(entry.value)) {
      yield { kind: 'skipped', line: entry.line, reason: 'is not a record' };
      continue;
    }
    const record = entry.value;
    if (record.type === 'session') header = record;
    if (record.type === 'session' || record.type === 'model_change')
      model = stringIn(record, 'modelId') ?? model;
    if (!isMessage(record)) continue;

    const message = messageFrom(record);
    if (message === undefined) {
      yield {
        kind: 'skipped',
        line: entry.line,
        reason: 'is a message of a kind or shape that is not known',
      };
      continue;
    }
    const ownId = stringIn(header, 'id');
    const key = ownId ?? 'unnamed';
    if (!opened.has(key)) {
      opened.add(key);
      const named = { ...(ownId !== undefined && { ownId }), ...(model !== undefined && { model }) };
      yield { kind: 'session', session: { key, ...named } };
    }
    yield { kind: 'message', key, message };
  }
}

const isMessage = ({ type }: JsonObject): boolean =>
  type === 'message' || type === 'compaction' || type === 'branch_summary' || type === 'custom_message';

const messageFrom = (record: JsonObject): DraftMessage | undefined => {
  const message = convert(record);
  if (message === undefined) return undefined;
  const id = stringIn(record, 'id');
  const createdAt = timeFrom(record.timestamp);
  return { ...message, ...(id !== undefined && { id }), ...(createdAt !== undefined && { createdAt }) };
};

const convert = (record: JsonObject): DraftMessage | undefined => {
  switch (record.type) {
    case 'message':
      return messageOfPi(objectIn(record, 'message') ?? {});
    case 'custom_message': {
      const blocks = contentBlocks(record.content, blockOfPi);
      return blocks && { role: 'user', blocks };
    }
    default:
      return summaryOfPi(record);
  }
};
