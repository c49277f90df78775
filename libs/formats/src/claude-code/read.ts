import { type Block, isToolResult } from '@app/domain';
import { isJsonObject, type JsonObject } from '@app/kernel';
import { contentBlocks } from '../drafts/content-blocks.js';
import { UNKNOWN_KIND } from '../drafts/doubles.js';
import type { Draft, DraftMessage } from '../drafts/draft.js';
import { ANTHROPIC_USAGE, objectIn, stringIn, timeFrom, usageFrom } from '../drafts/members.js';
import type { Entry } from '../lines/parse-line.js';
import { Chains } from './chains.js';
import { Compactions, pruningIn } from './compactions.js';
import { isMessage, isNote, withQueued } from './kinds.js';
import { OpenResponses } from './open-responses.js';
import { Seen } from './seen.js';

/**
 * Reads a session log of Claude Code: one record a line, of which `user` and `assistant` are messages and all
 * others are not. Side chains become sessions of their own. Holds one response a chain that is under way.
 */
export async function* readClaudeCode(entries: AsyncIterable<Entry>): AsyncGenerator<Draft, void, undefined> {
  const chains = new Chains();
  const seen = new Seen();
  const responses = new OpenResponses();
  const compactions = new Compactions();
  for await (const entry of entries) {
    if (entry.kind === 'skipped') {
      yield entry;
      continue;
    }
    if (!isJsonObject(entry.value)) {
      yield { kind: 'skipped', line: entry.line, reason: 'is not a record' };
      continue;
    }
    const record = withQueued(entry.value);
    const session = chains.sessionOf(record);
    if (seen.isRepeated(record)) continue;
    if (!isMessage(record)) {
      if (!isNote(record)) yield { kind: 'skipped', line: entry.line, reason: UNKNOWN_KIND };
      yield* compactions.note(session.key, record, entry.line);
      const pruning = pruningIn(record);
      if (pruning) {
        yield* responses.end(session);
        yield { kind: 'pruning', key: session.key, pruning };
      }
      continue;
    }
    const compaction = compactions.takeSummary(session.key, record);
    if (compaction) {
      yield* responses.end(session);
      yield { kind: 'compaction', key: session.key, compaction };
      continue;
    }
    yield* compactions.close(session.key);

    const message = objectIn(record, 'message') ?? {};
    const blocks = contentBlocks(message.content);
    if (blocks === undefined) {
      yield { kind: 'skipped', line: entry.line, reason: 'is a message without usable content' };
      continue;
    }
    const isResponse = record.type === 'assistant';
    const responseId = isResponse ? stringIn(message, 'id') : undefined;
    const fresh = isResponse
      ? seen.newOfResponse(session.key, responseId, blocks)
      : seen.newOfUser(session.key, blocks);
    const isRepeated = fresh.length === 0 && blocks.length > 0;
    yield* responses.take(session, (open) =>
      isResponse
        ? open.takeResponse(responseId, responseFrom(record, message, fresh), isRepeated)
        : open.takeUser(userFrom(record, fresh), isAmidResponse(record, fresh), isRepeated),
    );
  }
  yield* responses.close();
  yield* compactions.close();
}

/** Results, and what the harness adds to them in the user's name, come between the records of a response. */
const isAmidResponse = (record: JsonObject, blocks: readonly Block[]): boolean =>
  record.isMeta === true || blocks.some(isToolResult);

const userFrom = (record: JsonObject, blocks: readonly Block[]): DraftMessage => ({
  ...originOf(record),
  role: 'user',
  blocks,
});

const responseFrom = (record: JsonObject, message: JsonObject, blocks: readonly Block[]): DraftMessage => {
  const model = stringIn(message, 'model');
  // No model was called for what the harness wrote itself, such as the text of an API error.
  if (model === SYNTHETIC) return { ...originOf(record), role: 'assistant', blocks };

  const usage = usageFrom(objectIn(message, 'usage'), ANTHROPIC_USAGE, model);
  return {
    ...originOf(record),
    role: 'assistant',
    blocks,
    ...(model !== undefined && { model }),
    ...(usage && { usage }),
  };
};
const SYNTHETIC = '<synthetic>';

const originOf = (record: JsonObject) => {
  const id = stringIn(record, 'uuid');
  const createdAt = timeFrom(record.timestamp);
  return { ...(id !== undefined && { id }), ...(createdAt !== undefined && { createdAt }) };
};
