import { createHash, randomUUID } from 'node:crypto';
import {
  hasCode,
  isText,
  type Message,
  type OpenSessionRequest,
  type PalimpsestClient,
} from '@palimpsest/client';
import { batchOf } from './branch.js';

/** Names a transcript: that of a session, or with `subpath` one below it, such as a subagent's. */
export type TranscriptKey = {
  readonly projectKey: string;
  readonly sessionId: string;
  readonly subpath?: string;
};
/** A line of a transcript. `uuid` identifies it; lines without one are kept as often as they are appended. */
export type TranscriptEntry = { type: string; uuid?: string; [member: string]: unknown };

type Line = { readonly id: string; readonly text: string };

/** A transcript: a session without a window, each of its lines a message. */
export class Transcript {
  readonly session: string;
  /** Milliseconds since the epoch of the last change by this process; 0 without one. */
  changedAt = 0;
  private readonly ids = new Set<string>();
  /** All lines, or after {@link forget} the lines that the service does not have yet. */
  private lines: Line[] = [];
  private sent = 0;
  private isOpen = false;
  private isForgotten = false;

  constructor(
    readonly key: TranscriptKey,
    private readonly client: PalimpsestClient,
    private readonly settings: (session: string) => OpenSessionRequest,
  ) {
    this.session = sessionOf(key);
  }

  /** Number of lines that the service does not have yet. */
  get missing(): number {
    return this.lines.length - this.sent;
  }

  /** Characters of the lines that are kept although the service has them. */
  get spare(): number {
    return this.lines.slice(0, this.sent).reduce((sum, { text }) => sum + text.length, 0);
  }

  /** All lines, if this process has them; `undefined` if they have to be loaded. */
  get whole(): readonly TranscriptEntry[] | undefined {
    return this.isForgotten || this.lines.length === 0
      ? undefined
      : this.lines.map(({ text }) => JSON.parse(text));
  }

  add(entries: readonly TranscriptEntry[]): void {
    const lines = entries.map((entry) => ({ id: entry.uuid ?? randomUUID(), text: JSON.stringify(entry) }));
    for (const line of lines) {
      if (this.ids.has(line.id)) continue;
      this.ids.add(line.id);
      this.lines.push(line);
    }
    this.changedAt = Date.now();
  }

  /** Sends the lines that the service does not have. Repeated after a failure, it continues where that stopped. */
  async drain(): Promise<void> {
    while (this.missing > 0) {
      if (!this.isOpen) await this.open();
      const batch = batchOf(this.lines.slice(this.sent).map(({ id, text }) => ({ message: said(id, text) })));
      const messages = batch.map(({ message }) => message);
      if (messages.length > 0) await this.client.sessions.append(this.session, { messages });
      this.sent += batch.length;
    }
  }

  /** Reads all lines from the service; none of an unknown transcript. */
  async load(): Promise<void> {
    this.keep(await this.stored());
  }

  /** Forgets the lines that the service has. */
  forget(): void {
    this.isForgotten ||= this.sent > 0;
    this.lines.splice(0, this.sent);
    this.sent = 0;
  }

  /** Opens the session, or finds the lines that an earlier process has appended. */
  private async open(): Promise<void> {
    try {
      await this.client.sessions.open(this.settings(this.session));
    } catch (error) {
      if (!hasCode(error, 'session-already-open')) throw error;
      this.keep(await this.stored());
    }
    this.isOpen = true;
  }

  private keep(stored: readonly Line[]): void {
    const known = new Set(stored.map(({ id }) => id));
    this.lines = [...stored, ...this.lines.slice(this.sent).filter(({ id }) => !known.has(id))];
    this.sent = stored.length;
    this.isForgotten = false;
    for (const { id } of stored) this.ids.add(id);
  }

  private async stored(): Promise<readonly Line[]> {
    const lines: Line[] = [];
    try {
      for await (const { id, content } of this.client.sessions.export(this.session))
        lines.push(...content.filter(isText).map(({ text }) => ({ id, text })));
    } catch (error) {
      if (!hasCode(error, 'session-not-found')) throw error;
    }
    return lines;
  }
}

const said = (id: string, content: string): Message => ({ id, role: 'user', content });

/** Equal keys have equal names. */
export const sessionOf = ({ projectKey, sessionId, subpath = '' }: TranscriptKey): string => {
  const text = JSON.stringify([projectKey, sessionId, subpath]);
  return `transcript-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
};
