import type { JsonObject } from '@app/kernel';
import { defined } from '@app/kernel';
import { contentBlocks } from '../drafts/content-blocks.js';
import { DOUBLE, Doubles, UNKNOWN_KIND } from '../drafts/doubles.js';
import type { Draft, DraftMessage } from '../drafts/draft.js';
import { modelNameIn, objectIn, stringIn, timeFrom } from '../drafts/members.js';
import { projectIn } from '../drafts/project.js';
import { draftsOf } from '../drafts/records.js';
import type { Entry } from '../lines/parse-line.js';
import { type Branch, Branches } from './branches.js';
import { compactionOfPi, KeptFrom } from './compactions.js';
import { blockOfPi } from './convert-block.js';
import { messageOfPi, summaryOfPi } from './convert-message.js';

/**
 * Reads a session log of pi: a header, then one record a line, as a list or as a tree, whose branches are forks. Messages
 * come in the order of the file. A further header with another id opens a further session.
 */
export function readPi(entries: AsyncIterable<Entry>): AsyncIterable<Draft> {
  const logs = new Map<string, Log>();
  let log = new Log(undefined);
  const doubles = new Doubles();
  let model: string | undefined;
  return draftsOf(entries, ({ record, line }) => {
    if (record.type !== 'session' && doubles.isDouble(record))
      return [{ kind: 'skipped', line, reason: DOUBLE }];
    if (record.type === 'session') {
      const id = stringIn(record, 'id') ?? '';
      log = logs.get(id) ?? new Log(stringIn(record, 'id'));
      logs.set(id, log);
    }
    if (record.type === 'session' || record.type === 'model_change')
      model = modelNameIn(record, 'modelId') ?? model;
    return log.take(record, line, model);
  });
}

/** One session of a file, with its branches. */
class Log {
  readonly #branches: Branches;
  readonly #kept = new KeptFrom();
  readonly #opened = new Set<string>();

  #folder: string | undefined;

  constructor(private readonly ownId: string | undefined) {
    this.#branches = new Branches(ownId ?? 'unnamed');
  }

  *take(record: JsonObject, line: number, model: string | undefined): Generator<Draft, void, undefined> {
    if (record.type === 'session') {
      this.#folder ??= stringIn(record, 'cwd');
      this.#kept.note(record, false);
      return;
    }
    const branch = this.#branches.branchOf(record);
    const { key } = branch;
    const compaction = record.type === 'compaction' ? compactionOfPi(record, this.#kept) : undefined;
    const message = isMessage(record) ? messageFrom(record) : undefined;
    this.#kept.note(record, message !== undefined);
    if (compaction) {
      yield* this.#open(branch, model);
      this.#branches.settle(record, 'compaction');
      yield { kind: 'compaction', key, compaction };
    } else if (message) {
      yield* this.#open(branch, model);
      this.#branches.settle(record, 'message');
      yield { kind: 'message', key, message };
    } else if (record.type === 'session_info') {
      const title = stringIn(record, 'name');
      if (title !== undefined) yield { kind: 'title', key, title };
    } else if (record.type === 'compaction')
      yield { kind: 'skipped', line, reason: 'is a compaction without a summary' };
    else if (isMessage(record))
      yield { kind: 'skipped', line, reason: 'is a message of a kind or shape that is not known' };
    else if (!NOTES.has(String(record.type))) yield { kind: 'skipped', line, reason: UNKNOWN_KIND };
  }

  *#open({ key, fork }: Branch, model: string | undefined): Generator<Draft, void, undefined> {
    if (this.#opened.has(key)) return;
    // A branch may leave the session before anything of it was a message.
    if (fork && !this.#opened.has(fork.fromKey)) yield* this.#open({ key: fork.fromKey }, model);
    this.#opened.add(key);
    const { ownId } = this;
    const named = defined({ ownId, model });
    const project = projectIn({ folder: this.#folder });
    yield { kind: 'session', session: { key, ...named, ...(fork && { fork }), ...project } };
  }
}

/** Internal records of pi and its extensions. */
const NOTES = new Set([
  ...['model_change', 'thinking_level_change', 'label', 'custom', 'session_info', 'active_tools_change'],
  ...['leaf', 'title_change', 'message'],
]);

const isMessage = (record: JsonObject): boolean =>
  (record.type === 'message' && !isKeptFromModel(objectIn(record, 'message') ?? {})) ||
  record.type === 'branch_summary' ||
  record.type === 'custom_message';

/** A command that the user ran for himself alone (`!!`): pi never sends it. */
const isKeptFromModel = (message: JsonObject): boolean => message.excludeFromContext === true;

const messageFrom = (record: JsonObject): DraftMessage | undefined => {
  const message = convert(record);
  if (message === undefined) return undefined;
  const id = stringIn(record, 'id');
  const createdAt = timeFrom(record.timestamp);
  return { ...message, ...defined({ id, createdAt }) };
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
