import type { JsonObject } from '@app/kernel';
import type { Draft, DraftMessage, DraftSession } from '../drafts/draft.js';
import { objectIn, stringIn } from '../drafts/members.js';
import { draftsOf, type LineRecord } from '../drafts/records.js';
import type { Entry } from '../lines/parse-line.js';
import { messageOfCopilot } from './convert-event.js';

/**
 * Reads a session log of Copilot CLI: one event a line. Sub-agents become sessions of their own. The first system
 * message is the session's system prompt.
 */
export const readCopilotCli = (entries: AsyncIterable<Entry>): AsyncIterable<Draft> => {
  const log = new CopilotLog();
  return draftsOf(entries, (found) => log.take(found));
};

class CopilotLog {
  #ownId: string | undefined;
  #model: string | undefined;
  readonly #systems = new Map<string, string>();
  readonly #opened = new Set<string>();
  readonly #seen = new Set<string>();

  *take({ record: event, line }: LineRecord): Generator<Draft> {
    const id = stringIn(event, 'id');
    if (id !== undefined) {
      if (this.#seen.has(id)) {
        yield { kind: 'skipped', line, reason: 'is an event that was read before' };
        return;
      }
      this.#seen.add(id);
    }
    const data = objectIn(event, 'data') ?? {};
    this.#note(event, data);
    const message = messageOfCopilot(event);
    if (message === undefined) return;
    if (message === 'unusable') {
      yield { kind: 'skipped', line, reason: 'is a message without usable content' };
      return;
    }
    const session = this.#sessionOf(event, data);
    if (message.role === 'system' && this.#isPrompt(session.key, message)) return;
    yield* this.#open(session);
    yield { kind: 'message', key: session.key, message };
  }

  #note({ type }: JsonObject, data: JsonObject): void {
    if (type === 'session.start' || type === 'session.resume') {
      this.#ownId ??= stringIn(data, 'sessionId');
      this.#model = stringIn(data, 'selectedModel') ?? this.#model;
    }
    if (type === 'session.model_change') this.#model = stringIn(data, 'newModel') ?? this.#model;
  }

  /** Events of a sub-agent name it, or the call that it answers. */
  #sessionOf(event: JsonObject, data: JsonObject): DraftSession {
    const ownId = this.#ownId === undefined ? {} : { ownId: this.#ownId };
    const name = stringIn(event, 'agentId') ?? stringIn(data, 'parentToolCallId');
    if (name === undefined) return { key: MAIN, ...ownId };
    return { key: `${MAIN}.${name}`, ...ownId, chain: { name, parentKey: MAIN } };
  }

  /** Whether the message is the prompt that the session is opened with, or says it again. */
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
        ...(this.#model !== undefined && session.key === MAIN && { model: this.#model }),
        ...(system !== undefined && { system }),
      },
    };
  }
}

const MAIN = 'main';
