import { createHash, randomUUID } from 'node:crypto';
import { hasCode, isText, type Message, type PalimpsestClient } from '@palimpsest/client';
import { batchOf } from './branch.js';
import { type AdapterOptions, clientOf, openInputOf } from './options.js';
import { type Outage, type OutageCount, outageOf } from './outage.js';

/** Names a transcript: that of a session, or with `subpath` one below it, such as a subagent's. */
export type TranscriptKey = {
  readonly projectKey: string;
  readonly sessionId: string;
  readonly subpath?: string;
};
/** A line of a transcript. `uuid` identifies it; lines without one are kept as often as they are appended. */
export type TranscriptEntry = { type: string; uuid?: string; [member: string]: unknown };

/** Metadata of the sessions that hold transcripts: `project` is the project's key. */
const AGENT = 'claude-agent-sdk-transcript';
const SESSION = 'transcript';
const SUBPATH = 'subpath';

type Line = { readonly id: string; readonly text: string };
type Transcript = {
  readonly key: TranscriptKey;
  readonly session: string;
  /** All its lines, if this process has begun or loaded it. */
  lines: Line[];
  /** Number of lines that the service has. */
  sent: number;
  isOpen: boolean;
  changedAt: number;
};

/**
 * A `SessionStore` of the Claude Agent SDK: each transcript is a session without a window, each of its lines a message. While
 * the service fails, lines are kept and appended later. Nothing is deleted: an erasure of the session does that.
 */
export class TranscriptStore {
  private readonly client: PalimpsestClient;
  private readonly outage: Outage;
  private readonly transcripts = new Map<string, Transcript>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly options: AdapterOptions,
    outages?: OutageCount,
  ) {
    this.client = clientOf(options);
    this.outage = outageOf(options, outages);
  }

  async append(key: TranscriptKey, entries: readonly TranscriptEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const transcript = this.of(key);
    const known = new Set(transcript.lines.map(({ id }) => id));
    const lines = entries.map((entry) => ({ id: entry.uuid ?? randomUUID(), text: JSON.stringify(entry) }));
    transcript.lines.push(...lines.filter(({ id }) => !known.has(id)));
    transcript.changedAt = Date.now();
    await this.attempt(() => this.drain());
  }

  /**
   * Returns the lines of a transcript; `null` for an unknown one.
   *
   * @throws {Error} while the service fails, for a transcript of another process.
   */
  async load(key: TranscriptKey): Promise<TranscriptEntry[] | null> {
    const transcript = this.of(key);
    const isLoaded = await this.attempt(async () => {
      await this.drain();
      transcript.lines = await this.linesOf(transcript.session);
      transcript.sent = transcript.lines.length;
      return true;
    });
    const { lines } = transcript;
    if (!isLoaded && lines.length === 0)
      throw new Error('palimpsest: the service fails: a session of another process cannot be resumed now');
    return lines.length === 0 ? null : lines.map(({ text }) => JSON.parse(text));
  }

  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    const found = await this.inProject(projectKey);
    return found.flatMap(({ key: { sessionId, subpath }, mtime }) =>
      subpath === undefined ? [{ sessionId, mtime }] : [],
    );
  }

  async listSubkeys({ projectKey, sessionId }: TranscriptKey): Promise<string[]> {
    const found = await this.inProject(projectKey);
    return found.flatMap(({ key }) => (key.sessionId === sessionId ? (key.subpath ?? []) : []));
  }

  /** Appends everything that the service missed. Resolves with whether it has everything now. */
  async flush(): Promise<boolean> {
    this.outage.forgetPause();
    await this.attempt(() => this.drain());
    return [...this.transcripts.values()].every(({ sent, lines }) => sent === lines.length);
  }

  private of(key: TranscriptKey): Transcript {
    const session = sessionOf(key);
    const transcript = this.transcripts.get(session) ?? {
      ...{ key, session, lines: [], sent: 0, isOpen: false, changedAt: 0 },
    };
    this.transcripts.set(session, transcript);
    return transcript;
  }

  private async drain(): Promise<void> {
    for (const transcript of this.transcripts.values()) {
      while (transcript.sent < transcript.lines.length) {
        if (!transcript.isOpen) await this.open(transcript);
        const missing = transcript.lines.slice(transcript.sent);
        const batch = batchOf(missing.map(({ id, text }) => ({ message: said(id, text) })));
        const messages = batch.map(({ message }) => message);
        if (messages.length > 0) await this.client.sessions.append(transcript.session, { messages });
        transcript.sent += batch.length;
      }
    }
  }

  /** Opens the session of a transcript, or finds the lines that an earlier process has appended. */
  private async open(transcript: Transcript): Promise<void> {
    const { session, key } = transcript;
    const { projectKey: project, sessionId, subpath } = key;
    const labels = { ...this.options.labels, [SESSION]: sessionId, ...(subpath && { [SUBPATH]: subpath }) };
    const settings = { ...openInputOf(this.options, session), agent: AGENT, project, labels, window: 0 };
    try {
      await this.client.sessions.open(settings);
    } catch (error) {
      if (!hasCode(error, 'session-already-open')) throw error;
      const stored = await this.linesOf(session);
      const known = new Set(stored.map(({ id }) => id));
      transcript.lines = [...stored, ...transcript.lines.filter(({ id }) => !known.has(id))];
      transcript.sent = stored.length;
    }
    transcript.isOpen = true;
  }

  private async linesOf(session: string): Promise<Line[]> {
    const lines: Line[] = [];
    try {
      for await (const { id, content } of this.client.sessions.export(session))
        lines.push(...content.filter(isText).map(({ text }) => ({ id, text })));
    } catch (error) {
      if (!hasCode(error, 'session-not-found')) throw error;
    }
    return lines;
  }

  /** Also lists transcripts of this process that the read model does not have yet; only them while the service fails. */
  private async inProject(projectKey: string): Promise<readonly Listed[]> {
    const found = new Map<string, Listed>();
    await this.attempt(async () => {
      for await (const summary of this.client.sessions.list({ project: projectKey, agent: AGENT })) {
        const { session, labels, lastActivityAt } = summary;
        const { [SESSION]: sessionId = '', [SUBPATH]: subpath } = labels;
        const key = { projectKey, sessionId, ...(subpath !== undefined && { subpath }) };
        found.set(session, { key, mtime: Date.parse(lastActivityAt) });
      }
    });
    for (const { key, session, changedAt: mtime } of this.transcripts.values())
      if (key.projectKey === projectKey && mtime > 0) found.set(session, { key, mtime });
    return [...found.values()];
  }

  private attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const done = this.last.then(() => this.outage.during(work));
    this.last = done.catch(() => {});
    return done;
  }
}

type Listed = { readonly key: TranscriptKey; readonly mtime: number };

const said = (id: string, content: string): Message => ({ id, role: 'user', content });

/** Equal keys have equal names. */
const sessionOf = ({ projectKey, sessionId, subpath = '' }: TranscriptKey): string => {
  const digest = createHash('sha256')
    .update(JSON.stringify([projectKey, sessionId, subpath]))
    .digest('hex');
  return `transcript-${digest.slice(0, 32)}`;
};
