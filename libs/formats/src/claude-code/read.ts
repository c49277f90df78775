import { type Block, isToolResult } from '@app/domain';
import { defined, isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { contentBlocks } from '../drafts/content-blocks.js';
import { UNKNOWN_KIND } from '../drafts/doubles.js';
import type { Draft, DraftMessage, DraftSession } from '../drafts/draft.js';
import { IdTable } from '../drafts/id-index/id-table.js';
import { digestOf } from '../drafts/ids.js';
import { asInserted } from '../drafts/inserted.js';
import { ANTHROPIC_USAGE, modelNameIn, objectIn, stringIn, timeFrom, usageFrom } from '../drafts/members.js';
import { outlineOf } from '../drafts/outline.js';
import { draftsOf } from '../drafts/records.js';
import type { Entry } from '../lines/parse-line.js';
import { Chains } from './chains.js';
import { Compactions, pruningIn } from './compactions.js';
import { asUserMessage } from './given/given.js';
import { Queue } from './given/queue.js';
import { OpenResponses } from './open-responses.js';
import { asLogged } from './stream-output.js';

/**
 * The records and blocks read so far. Resumed files, and responses written during streaming, contain records and
 * blocks twice. Memory: some 30 bytes per record and block.
 */
class Seen {
  readonly #uuids = new IdTable();
  readonly #blocks = new IdTable();

  /** Whether the very record has been read before; from now on it has. */
  isRepeated(record: JsonObject): boolean {
    const uuid = stringIn(record, 'uuid');
    return (
      uuid !== undefined && !this.#uuids.add(`${uuid} ${String(record.type)} ${outlineOf(contentOf(record))}`)
    );
  }

  /** The blocks of a response that it has not held before. */
  newOfResponse(key: string, responseId: string | undefined, blocks: readonly Block[]): readonly Block[] {
    if (responseId === undefined) return blocks;
    return blocks.filter((block) => this.#isNew(`${key} ${responseId}`, block));
  }

  /** Returns the blocks of a user message without tool results read before. Repeated text is kept. */
  newOfUser(key: string, blocks: readonly Block[]): readonly Block[] {
    return blocks.filter((block) => !isToolResult(block) || this.#isNew(key, block));
  }

  #isNew(scope: string, block: Block): boolean {
    return this.#blocks.add(digestOf(`${scope} ${JSON.stringify(block)}`, 32));
  }
}

const contentOf = (record: JsonObject): Json | undefined => objectIn(record, 'message')?.content;

/**
 * Reads a session log of Claude Code: one record a line, of which `user` and `assistant` are messages and most
 * others are not. Side chains become sessions of their own. Holds one response a chain that is under way.
 */
export function readClaudeCode(entries: AsyncIterable<Entry>): AsyncIterable<Draft> {
  const log = new Log();
  return draftsOf(
    entries,
    ({ record, line }) => log.take(record, line),
    () => log.end(),
  );
}

class Log {
  readonly #chains = new Chains();
  readonly #seen = new Seen();
  readonly #responses = new OpenResponses();
  readonly #compactions = new Compactions();
  readonly #queue = new Queue();

  *take(entry: JsonObject, line: number): Generator<Draft, void, undefined> {
    const logged = asLogged(entry);
    for (const said of this.#queue.before(logged)) yield* this.#record(said, line);
    const record = asUserMessage(logged);
    yield* this.#record(record, line, record !== logged);
  }

  *end(): Generator<Draft, void, undefined> {
    for (const said of this.#queue.rest()) yield* this.#record(said, 0);
    yield* this.#responses.close();
    yield* this.#compactions.close();
  }

  /** @param isBeside for a record that may stand between a compaction and its summary. */
  *#record(record: JsonObject, line: number, isBeside = false): Generator<Draft, void, undefined> {
    const session = this.#chains.sessionOf(record);
    if (this.#seen.isRepeated(record)) return;
    if (!isMessage(record)) {
      yield* this.#note(record, session, line);
      return;
    }
    const compaction = this.#compactions.takeSummary(session.key, record);
    if (compaction) {
      yield* this.#responses.end(session);
      yield { kind: 'compaction', key: session.key, compaction };
      return;
    }
    if (!isBeside) yield* this.#compactions.close(session.key);
    yield* this.#message(record, session, line);
  }

  *#note(record: JsonObject, session: DraftSession, line: number): Generator<Draft, void, undefined> {
    if (!isNote(record)) yield { kind: 'skipped', line, reason: UNKNOWN_KIND };
    const title = record.type === 'custom-title' ? stringIn(record, 'customTitle') : undefined;
    if (title !== undefined) yield { kind: 'title', key: session.key, title };
    yield* this.#compactions.note(session.key, record, line);
    const pruning = pruningIn(record);
    if (!pruning || !this.#responses.isOpen(session.key)) return;
    yield* this.#responses.end(session);
    yield { kind: 'pruning', key: session.key, pruning };
  }

  *#message(record: JsonObject, session: DraftSession, line: number): Generator<Draft, void, undefined> {
    const message = objectIn(record, 'message') ?? {};
    const blocks = contentBlocks(message.content);
    if (blocks === undefined) {
      yield { kind: 'skipped', line, reason: 'is a message without usable content' };
      return;
    }
    const isResponse = record.type === 'assistant';
    const responseId = isResponse ? stringIn(message, 'id') : undefined;
    const fresh = isResponse
      ? this.#seen.newOfResponse(session.key, responseId, blocks)
      : this.#seen.newOfUser(session.key, blocks);
    const isRepeated = fresh.length === 0 && blocks.length > 0;
    yield* this.#responses.take(session, (open) =>
      isResponse
        ? open.takeResponse(responseId, responseFrom(record, message, fresh), isRepeated)
        : open.takeUser(userFrom(record, fresh), isAmidResponse(record, fresh), isRepeated),
    );
  }
}

/** Results and harness text are interleaved with the records of a response. */
const isAmidResponse = (record: JsonObject, blocks: readonly Block[]): boolean =>
  record.isMeta === true || blocks.some(isToolResult);

const userFrom = (record: JsonObject, blocks: readonly Block[]): DraftMessage => ({
  ...originOf(record),
  role: 'user',
  blocks: isOfHarness(record) ? asInserted(blocks) : blocks,
});

/** Returns whether the harness added the message; queued user input is marked as user input. */
const isOfHarness = ({ isMeta, isQueued, origin }: JsonObject): boolean => {
  const kind = isJsonObject(origin) ? origin.kind : undefined;
  return (isMeta === true && isQueued !== true) || (typeof kind === 'string' && kind !== 'human');
};

const responseFrom = (record: JsonObject, message: JsonObject, blocks: readonly Block[]): DraftMessage => {
  const model = modelNameIn(message);
  // Messages by the harness itself, such as API errors, have no model.
  if (model === SYNTHETIC) return { ...originOf(record), role: 'assistant', blocks };

  const usage = usageFrom(objectIn(message, 'usage'), ANTHROPIC_USAGE, model);
  return {
    ...originOf(record),
    role: 'assistant',
    blocks,
    ...defined({ model, usage }),
  };
};
const SYNTHETIC = '<synthetic>';

const originOf = (record: JsonObject) => {
  const id = stringIn(record, 'uuid');
  const createdAt = timeFrom(record.timestamp);
  return defined({ id, createdAt });
};

/** Internal records of Claude Code: display and resume state. */
const NOTES = new Set([
  ...['summary', 'system', 'progress', 'attachment', 'queue-operation', 'last-prompt', 'custom-title'],
  ...['ai-title', 'agent-name', 'agent-color', 'agent-setting', 'tag', 'mode', 'permission-mode', 'pr-link'],
  ...['file-history-snapshot', 'file-history-delta', 'worktree-state', 'content-replacement'],
  ...['attribution-snapshot', 'speculation-accept', 'task-summary', 'bridge-session'],
  ...['marble-origami-commit', 'marble-origami-snapshot', 'marble-origami-reset', 'started', 'result'],
  ...['cost-state', 'frame-link', 'atis-latch', 'isolation-latch', 'ended-by-model'],
  ...['artifact-autoreact-ledger', 'artifact-comment-monitor'],
  // Records of its output stream only.
  ...['stream_event', 'rate_limit_event', 'tool_progress', 'tool_use_summary', 'auth_status', 'keep_alive'],
  ...['control_request', 'control_response', 'control_cancel_request', 'prompt_suggestion'],
]);

const isMessage = ({ type }: JsonObject): boolean => type === 'user' || type === 'assistant';
const isNote = ({ type }: JsonObject): boolean => NOTES.has(String(type));
