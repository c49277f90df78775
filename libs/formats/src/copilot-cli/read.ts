import { isJsonObject, type JsonObject } from '@app/kernel';
import { UNKNOWN_KIND } from '../drafts/doubles.js';
import { behindMessage, type Draft, type DraftMessage, type DraftSession } from '../drafts/draft.js';
import { IdList } from '../drafts/id-index/id-list.js';
import { IdTable } from '../drafts/id-index/id-table.js';
import { objectIn, stringIn } from '../drafts/members.js';
import { projectIn } from '../drafts/project.js';
import { draftsOf, type LineRecord } from '../drafts/records.js';
import type { Entry } from '../lines/parse-line.js';
import { Assets } from './assets.js';
import { compactionOf } from './compaction.js';
import { messageOfCopilot } from './convert-event.js';
import { UserCalls } from './user-calls.js';

/**
 * Reads a session log of Copilot CLI: one event a line. Sub-agents become sessions of their own. The first system
 * message is the session's system prompt.
 */
export const readCopilotCli = (entries: AsyncIterable<Entry>): AsyncIterable<Draft> => {
  let [log, count] = [new CopilotLog(MAIN), 1];
  return draftsOf(entries, (found) => {
    if (log.isFollowedBy(found.record)) {
      count += 1;
      log = new CopilotLog(`${MAIN}-${count}`, count);
    }
    return log.take(found);
  });
};

class CopilotLog {
  #ownId: string | undefined;
  #model: string | undefined;
  #project: { readonly project?: string } | undefined;
  #main: DraftSession;
  #rewinds = 0;
  /** The messages of the main session, and their number before each event. */
  #path = IdList.empty();
  readonly #seen = new IdTable();
  /** First message since the start of a compaction, by session. */
  readonly #saidSince = new Map<string, string | undefined>();
  readonly #assets = new Assets();
  readonly #userCalls = new UserCalls();
  readonly #systems = new Map<string, string>();
  readonly #opened = new Set<string>();

  /** @param ordinal distinguishes sessions without ids in one file. */
  constructor(
    private readonly key: string,
    ordinal?: number,
  ) {
    this.#main = { key, ...(ordinal !== undefined && { ordinal }) };
  }

  /** Whether an event begins another session, as where two files were joined. */
  isFollowedBy({ type, data }: JsonObject): boolean {
    const id = type === 'session.start' && isJsonObject(data) ? stringIn(data, 'sessionId') : undefined;
    return id !== undefined && this.#ownId !== undefined && id !== this.#ownId;
  }

  *take({ record: event, line }: LineRecord): Generator<Draft> {
    const id = stringIn(event, 'id');
    if (id !== undefined) {
      if (this.#seen.has(id)) {
        yield { kind: 'skipped', line, reason: 'is an event that was read before' };
        return;
      }
      this.#seen.set(id, this.#path.length);
    }
    const data = objectIn(event, 'data') ?? {};
    yield* this.#note(event, data);
    const message = messageOfCopilot(event, { assets: this.#assets, userCalls: this.#userCalls });
    if (message === undefined) {
      if (!isNote(event)) yield { kind: 'skipped', line, reason: UNKNOWN_KIND };
      return;
    }
    if (message === 'unusable') {
      yield { kind: 'skipped', line, reason: 'is a message without usable content' };
      return;
    }
    const session = this.#sessionOf(event, data);
    if (message.role === 'system' && this.#isPrompt(session.key, message)) return;
    yield* this.#open(session);
    if (session.key === this.#main.key) this.#path.push(message.id);
    if (this.#saidSince.has(session.key) && this.#saidSince.get(session.key) === undefined)
      this.#saidSince.set(session.key, message.id);
    yield { kind: 'message', key: session.key, message };
  }

  *#note(event: JsonObject, data: JsonObject): Generator<Draft> {
    switch (event.type) {
      case 'session.start':
      case 'session.resume':
        this.#ownId ??= stringIn(data, 'sessionId');
        this.#project ??= projectOf(objectIn(data, 'context') ?? {});
        this.#model = stringIn(data, 'selectedModel') ?? this.#model;
        if (this.#ownId !== undefined && this.#rewinds === 0)
          this.#main = { ...this.#main, ownId: this.#ownId };
        return;
      case 'session.model_change':
        this.#model = stringIn(data, 'newModel') ?? this.#model;
        return;
      case 'session.compaction_start':
        this.#saidSince.set(this.#sessionOf(event, data).key, undefined);
        return;
      case 'session.compaction_complete':
        yield* this.#compact(event, data);
        return;
      case 'session.snapshot_rewind':
        this.#rewind(this.#seen.get(stringIn(data, 'upToEventId') ?? ''));
        return;
      case 'session.context_cleared':
        if (stringIn(event, 'agentId') === undefined) this.#rewind(0);
        return;
      case 'session.binary_asset':
        this.#assets.add(data);
        return;
      case 'tool.user_requested':
        this.#userCalls.add(data);
    }
  }

  *#compact(event: JsonObject, data: JsonObject): Generator<Draft> {
    const { key } = this.#sessionOf(event, data);
    const compaction = compactionOf(event, this.#saidSince.get(key));
    this.#saidSince.delete(key);
    if (compaction !== undefined && this.#opened.has(key)) yield { kind: 'compaction', key, compaction };
  }

  /** Rewinds: the undone part stays a session, and later messages form a branch after `before` messages. */
  #rewind(before: number | undefined): void {
    if (before === undefined || before >= this.#path.length) return;
    this.#rewinds += 1;
    const name = `rewind-${this.#rewinds}`;
    const fork = {
      name,
      fromKey: this.#main.key,
      behind: behindMessage(before === 0 ? undefined : this.#path.at(before - 1)),
    };
    const system = this.#systems.get(this.#main.key);
    this.#main = { ...this.#main, key: `${this.key}.${name}`, fork };
    if (system !== undefined) this.#systems.set(this.#main.key, system);
    this.#path = this.#path.first(before);
  }

  /** Events of a sub-agent name it, or the call that it answers. */
  #sessionOf(event: JsonObject, data: JsonObject): DraftSession {
    const name = stringIn(event, 'agentId') ?? stringIn(data, 'parentToolCallId');
    if (name === undefined) return this.#main;
    const ownId = this.#ownId === undefined ? {} : { ownId: this.#ownId };
    return { key: `${this.key}.${name}`, ...ownId, chain: { name, parentKey: this.#main.key } };
  }

  /** Returns whether the message is or repeats the session's system prompt. */
  #isPrompt(key: string, { blocks }: DraftMessage): boolean {
    const [block] = blocks;
    const text = block?.type === 'text' ? String(block.text) : '';
    const known = this.#systems.get(key);
    if (known === undefined && !this.#opened.has(key)) this.#systems.set(key, text);
    return this.#systems.get(key) === text;
  }

  *#open(session: DraftSession): Generator<Draft> {
    if (this.#opened.has(session.key)) return;
    this.#opened.add(session.key);
    const system = this.#systems.get(session.key);
    yield {
      kind: 'session',
      session: {
        ...session,
        ...(this.#model !== undefined && session.key === this.#main.key && { model: this.#model }),
        ...(system !== undefined && { system }),
        ...this.#project,
      },
    };
  }
}

const MAIN = 'main';

const projectOf = (context: JsonObject) =>
  projectIn({
    repository: stringIn(context, 'repository'),
    folder: stringIn(context, 'gitRoot') ?? stringIn(context, 'cwd'),
  });

/** Prefixes of event names that no model receives: each has many events, and newer versions have more. */
const NOTED = new Set([
  ...['session', 'hook', 'permission', 'subagent', 'skill', 'tool', 'external_tool', 'command', 'mcp'],
  ...['user_input', 'elicitation', 'exit_plan_mode', 'auto_mode_switch', 'model', 'capabilities', 'sampling'],
  ...['abort', 'pending_messages', 'commands', 'extensions', 'tool_search', 'factory', 'workflow', 'canvas'],
  ...['ui', 'mcp_app', 'session_limits_exhausted', 'managed_settings', 'auto_mode'],
]);
/** Single such events of groups that contain messages. */
const NOTES = new Set([
  ...['assistant.turn_start', 'assistant.turn_end', 'assistant.intent', 'assistant.reasoning'],
  ...['assistant.usage', 'assistant.streaming_delta', 'assistant.message_delta'],
  ...['assistant.reasoning_delta', 'assistant.message_start', 'assistant.tool_call_delta'],
  ...['assistant.idle', 'assistant.turn_retry', 'assistant.server_tool_progress'],
  ...['assistant.fusion_phase_started', 'assistant.fusion_phase_activity'],
  ...['assistant.fusion_phase_completed', 'assistant.fusion_phase_failed'],
]);

const isNote = ({ type }: JsonObject): boolean => {
  const name = String(type);
  return NOTES.has(name) || NOTED.has(name.split('.')[0] ?? '');
};
