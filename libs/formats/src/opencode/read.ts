import { isText } from '@app/domain';
import { defined, isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { isShallow } from '../drafts/content-blocks.js';
import { Named } from '../drafts/doubles.js';
import type { Draft, DraftCompaction } from '../drafts/draft.js';
import { listIn, modelNameIn, objectIn, stringIn, timeFrom } from '../drafts/members.js';
import { projectIn } from '../drafts/project.js';
import { draftsOf, type LineRecord } from '../drafts/records.js';
import type { Entry } from '../lines/parse-line.js';
import type { TranscriptPruning } from '../transcript.js';
import { messagesOfOpenCode, modelIn, partsIn, usageIn } from './convert-message.js';
import { isMessage, sessionIn } from './recognize.js';
import { asOfFirst, isOfSecond } from './second-version.js';

/**
 * Outputs that OpenCode cleared later. Each has the time of clearing in milliseconds: the model no longer saw it from
 * the next message on.
 */
class Cleared {
  #open: { readonly callId: string; readonly at: number }[] = [];

  /** Stores the cleared outputs of a message. */
  note(parts: readonly Json[]): void {
    for (const part of parts) {
      if (!isJsonObject(part) || part.type !== 'tool') continue;
      const callId = stringIn(part, 'callID');
      const at = objectIn(objectIn(part, 'state') ?? {}, 'time')?.compacted;
      if (callId !== undefined && typeof at === 'number') this.#open.push({ callId, at });
    }
  }

  /** Yields the outputs cleared before a message was created, or all without one. */
  *before(info?: JsonObject): Generator<TranscriptPruning> {
    const created = info && objectIn(info, 'time')?.created;
    if (info && typeof created !== 'number') return;
    const until = typeof created === 'number' ? created : Number.POSITIVE_INFINITY;
    const due = this.#open.filter(({ at }) => at <= until);
    this.#open = this.#open.filter(({ at }) => at > until);
    for (const at of [...new Set(due.map((one) => one.at))].sort((a, b) => a - b)) {
      const createdAt = timeFrom(at);
      const callIds = due.filter((one) => one.at === at).map(({ callId }) => callId);
      yield { callIds, ...(createdAt !== undefined && { createdAt }) };
    }
  }
}

/**
 * Reads the output of `opencode export`: one document per session. A compaction is a message by OpenCode with an
 * answer, the summary; earlier versions wrote the summary alone.
 */
export function readOpenCode(entries: AsyncIterable<Entry>): AsyncIterable<Draft> {
  let count = 0;
  let open: Session | undefined;
  function* take({ record, line, isContinued }: LineRecord): Generator<Draft, void, undefined> {
    const ofMessage = isMessage(record) ? sessionIn(record) : undefined;
    const goesOn = isContinued || (ofMessage !== undefined && ofMessage === open?.ownId);
    if (!open || !goesOn) {
      yield* open?.end() ?? [];
      count += 1;
      open = new Session(`session-${count}`, ofMessage);
    }
    const document = ofMessage === undefined ? record : { info: { id: ofMessage }, messages: [record] };
    yield* open.take(document, line);
  }
  return draftsOf(entries, take, () => open?.end() ?? []);
}

/** One document, possibly in parts. */
class Session {
  #isOpen = false;
  #version: string | undefined;
  /** Messages before the part that is read. */
  #before = 0;
  readonly #named = new Named();
  readonly #cleared = new Cleared();
  #asked: Question | undefined;

  /** @param ownId of a session without a document around its messages. */
  constructor(
    private readonly key: string,
    readonly ownId?: string,
  ) {}

  *take(document: JsonObject, line: number): Generator<Draft, void, undefined> {
    const info = objectIn(document, 'info');
    const messages = listIn(document, 'messages');
    if (!info || !messages) {
      yield { kind: 'skipped', line, reason: 'is not a session with its messages' };
      return;
    }
    if (!this.#isOpen) yield sessionFrom(info, messages, this.key);
    this.#isOpen = true;
    this.#version = stringIn(info, 'version') ?? this.#version;
    for (const [at, message] of messages.entries()) yield* this.#message(message, this.#before + at, line);
    this.#before += messages.length;
  }

  *end(): Generator<Draft, void, undefined> {
    yield* this.#unanswered();
    yield* this.#prunings();
  }

  *#prunings(info?: JsonObject): Generator<Draft, void, undefined> {
    for (const pruning of this.#cleared.before(info)) yield { kind: 'pruning', key: this.key, pruning };
  }

  *#unanswered(): Generator<Draft, void, undefined> {
    if (!this.#asked) return;
    const { at, line } = this.#asked;
    yield { kind: 'skipped', line, reason: `messages[${at}] is a compaction without a summary` };
    this.#asked = undefined;
  }

  *#message(given: Json, at: number, line: number): Generator<Draft, void, undefined> {
    const isSecond = isShallow(given) && isOfSecond(given);
    const message = isSecond ? asOfFirst(given) : given;
    if (message === undefined) return;
    const info = isJsonObject(message) && isShallow(message) ? objectIn(message, 'info') : undefined;
    if (!isJsonObject(message) || !info || !(ROLES.has(String(info.role)) || isSecond)) {
      yield { kind: 'skipped', line, reason: `messages[${at}] is no message` };
      return;
    }
    if (this.#named.isDouble(stringIn(info, 'id'), message)) {
      yield { kind: 'skipped', line, reason: `messages[${at}] was read before` };
      return;
    }
    const parts = partsIn(message);
    const part = compactionIn(info, parts);
    yield* this.#prunings(info);
    this.#cleared.note(parts);
    if (part) {
      yield* this.#unanswered();
      this.#asked = { at, line, part };
      return;
    }
    const { messages, unusable } = messagesOfOpenCode(info, parts);
    for (const one of unusable)
      yield { kind: 'skipped', line, reason: `messages[${at}].parts[${one}] is no usable part` };
    if (isSummary(info)) {
      const summary = wordsOf(messages.flatMap(({ blocks }) => blocks));
      if (summary === '' || info.error !== undefined) {
        if (this.#asked) return; // It is asked for again.
        yield { kind: 'skipped', line, reason: `messages[${at}] is a compaction without a summary` };
        return;
      }
      const asked = this.#asked?.part ?? parts.filter(isJsonObject).find(isCompaction) ?? {};
      const compaction = compactionFrom(info, asked, summary, this.#version);
      this.#asked = undefined;
      yield { kind: 'compaction', key: this.key, compaction };
      return;
    }
    for (const one of messages) yield { kind: 'message', key: this.key, message: one };
  }
}

const ROLES = new Set(['user', 'assistant']);

/** The message by which OpenCode asks for a summary, and its place. */
type Question = { readonly at: number; readonly line: number; readonly part: JsonObject };

const sessionFrom = (info: JsonObject, messages: readonly Json[], key: string): Draft => {
  const [ownId, parentOwnId] = [stringIn(info, 'id'), stringIn(info, 'parentID')];
  const model = messages.map(modelOf).find((named) => named !== undefined);
  return {
    kind: 'session',
    session: {
      key,
      ...defined({ ownId, parentOwnId, model }),
      ...projectIn({ folder: stringIn(info, 'directory') }),
    },
  };
};

const modelOf = (message: Json): string | undefined => {
  if (isOfSecond(message)) return modelNameIn(objectIn(message, 'model') ?? {}, 'id');
  return modelIn((isJsonObject(message) && objectIn(message, 'info')) || {});
};

const compactionIn = ({ role }: JsonObject, parts: readonly Json[]): JsonObject | undefined =>
  role === 'user' ? parts.filter(isJsonObject).find(isCompaction) : undefined;

const isCompaction = ({ type }: JsonObject): boolean => type === 'compaction';

const isSummary = ({ role, summary }: JsonObject): boolean => role === 'assistant' && summary === true;

const wordsOf = (blocks: Parameters<typeof isText>[0][]): string =>
  blocks
    .filter(isText)
    .map(({ text }) => text)
    .join('\n\n');

const compactionFrom = (
  info: JsonObject,
  part: JsonObject,
  summary: string,
  version: string | undefined,
): DraftCompaction => {
  const time = objectIn(info, 'time') ?? {};
  const [id, model, from] = [stringIn(info, 'id'), modelIn(info), stringIn(part, 'tail_start_id')];
  const createdAt = timeFrom(time.completed ?? time.created);
  const usage = usageIn(info, model);
  const { created, completed } = time;
  const took = typeof created === 'number' && typeof completed === 'number' ? completed - created : -1;
  return {
    ...(id !== undefined && { id }),
    summary,
    retained: from === undefined ? { kind: 'none' } : { kind: 'from', messageId: from },
    ...(typeof part.auto === 'boolean' && { trigger: part.auto ? 'automatic' : 'manual' }),
    ...defined({ createdAt, model, agentVersion: version, usage }),
    ...(took >= 0 && { durationMs: took }),
  };
};
