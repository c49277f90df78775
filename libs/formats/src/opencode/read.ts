import { isText } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import type { Draft, DraftCompaction } from '../drafts/draft.js';
import { listIn, objectIn, stringIn, timeFrom } from '../drafts/members.js';
import { recordsIn } from '../drafts/records.js';
import type { Entry } from '../lines/parse-line.js';
import { messagesOfOpenCode, modelIn, partsIn, usageIn } from './convert-message.js';

/**
 * Reads what `opencode export` writes: one document a session. A compaction is a question of OpenCode's own and the answer
 * to it, which is the summary.
 */
export async function* readOpenCode(entries: AsyncIterable<Entry>): AsyncGenerator<Draft, void, undefined> {
  let count = 0;
  let open: OpenCodeSession | undefined;
  for await (const entry of recordsIn(entries)) {
    if (entry.kind === 'skipped') {
      yield entry;
      continue;
    }
    const { record: document, line, isContinued } = entry;
    const info = objectIn(document, 'info');
    const messages = listIn(document, 'messages');
    if (!info || !messages) {
      yield { kind: 'skipped', line, reason: 'is not a session with its messages' };
      continue;
    }
    if (open === undefined || !isContinued) {
      yield* open?.end() ?? [];
      count += 1;
      const key = `session-${count}`;
      open = new OpenCodeSession(key, stringIn(info, 'version'));
      yield sessionFrom(info, messages, key);
    }
    yield* open.take(messages, line);
  }
  yield* open?.end() ?? [];
}

/** The messages of one session, of which a large document brings some after the others. */
class OpenCodeSession {
  #count = 0;
  #asked: (Question & { readonly line: number }) | undefined;

  constructor(
    private readonly key: string,
    private readonly version: string | undefined,
  ) {}

  *take(messages: readonly Json[], line: number): Generator<Draft, void, undefined> {
    for (const message of messages) {
      yield* this.#takeOne(message, this.#count, line);
      this.#count += 1;
    }
  }

  *end(): Generator<Draft, void, undefined> {
    if (this.#asked) yield unanswered(this.#asked, this.#asked.line);
    this.#asked = undefined;
  }

  *#takeOne(message: Json, at: number, line: number): Generator<Draft, void, undefined> {
    const said = isJsonObject(message) ? objectIn(message, 'info') : undefined;
    if (!isJsonObject(message) || !said || (said.role !== 'user' && said.role !== 'assistant')) {
      yield { kind: 'skipped', line, reason: `messages[${at}] is no message` };
      return;
    }
    const parts = partsIn(message);
    const part = compactionIn(said, parts);
    if (part) {
      yield* this.end();
      this.#asked = { at, part, line };
      return;
    }
    const { messages: read, unusable } = messagesOfOpenCode(said, parts);
    for (const one of unusable)
      yield { kind: 'skipped', line, reason: `messages[${at}].parts[${one}] is no usable part` };
    const asked = this.#asked;
    if (asked && isSummary(said)) {
      const summary = wordsOf(read.flatMap(({ blocks }) => blocks));
      if (summary === '' || said.error !== undefined) return; // It is asked for again.
      const compaction = compactionFrom(said, asked.part, summary, this.version);
      yield { kind: 'compaction', key: this.key, compaction };
      this.#asked = undefined;
      return;
    }
    for (const one of read) yield { kind: 'message', key: this.key, message: one };
  }
}

/** The message by which OpenCode asks for a summary, and its place. */
type Question = { readonly at: number; readonly part: JsonObject };

const unanswered = ({ at }: Question, line: number): Draft => ({
  kind: 'skipped',
  line,
  reason: `messages[${at}] is a compaction without a summary`,
});

const sessionFrom = (info: JsonObject, messages: readonly Json[], key: string): Draft => {
  const [ownId, parentOwnId] = [stringIn(info, 'id'), stringIn(info, 'parentID')];
  const model = messages
    .map((message) => modelIn((isJsonObject(message) && objectIn(message, 'info')) || {}))
    .find((named) => named !== undefined);
  return {
    kind: 'session',
    session: {
      key,
      ...(ownId !== undefined && { ownId }),
      ...(parentOwnId !== undefined && { parentOwnId }),
      ...(model !== undefined && { model }),
    },
  };
};

const compactionIn = ({ role }: JsonObject, parts: readonly Json[]): JsonObject | undefined =>
  role === 'user' ? parts.filter(isJsonObject).find(({ type }) => type === 'compaction') : undefined;

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
    ...(createdAt !== undefined && { createdAt }),
    ...(model !== undefined && { model }),
    ...(version !== undefined && { agentVersion: version }),
    ...(usage && { usage }),
    ...(took >= 0 && { durationMs: took }),
  };
};
