import type { OpenSessionRequest, PalimpsestClient } from '@palimpsest/client';
import { type AdapterOptions, clientOf, openInputOf } from './options.js';
import { isRefusal, type Outage, type OutageCount, outageOf } from './outage.js';
import { sessionOf, Transcript, type TranscriptEntry, type TranscriptKey } from './transcript.js';

/** Metadata of the sessions that hold transcripts: `project` is the project's key. */
const AGENT = 'claude-agent-sdk-transcript';
const SESSION = 'transcript';
const SUBPATH = 'subpath';

/** Transcripts in memory, and characters of lines that the service has. Both serve to resume during an outage. */
const TRANSCRIPTS_MAX = 1_000;
const CHARACTERS_MAX = 32_000_000;

/**
 * A `SessionStore` of the Claude Agent SDK. While the service fails, lines are kept and appended later. Nothing is deleted: an
 * erasure of the session does that.
 */
export class TranscriptStore {
  private readonly client: PalimpsestClient;
  private readonly outage: Outage;
  /** By session, the least recently used one first. */
  private readonly transcripts = new Map<string, Transcript>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly options: AdapterOptions,
    outages?: OutageCount,
    private readonly charactersMax = CHARACTERS_MAX,
  ) {
    this.client = clientOf(options);
    this.outage = outageOf(options, outages);
  }

  async append(key: TranscriptKey, entries: readonly TranscriptEntry[]): Promise<void> {
    if (entries.length === 0) return;
    this.of(key).add(entries);
    await this.attempt(() => this.drain());
    this.trim();
  }

  /**
   * Returns the lines of a transcript; `null` for an unknown one.
   *
   * @throws {Error} while the service fails, for a transcript that this process does not have in memory.
   */
  async load(key: TranscriptKey): Promise<TranscriptEntry[] | null> {
    const transcript = this.of(key);
    const isLoaded = await this.attempt(async () => {
      await this.drain();
      await transcript.load();
      return true;
    });
    const { whole } = transcript;
    this.trim();
    if (!isLoaded && !whole)
      throw new Error(
        'palimpsest: the session cannot be resumed now: the service fails, and this process does not have it; try again later',
      );
    return whole ? [...whole] : null;
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
    return [...this.transcripts.values()].every(({ missing }) => missing === 0);
  }

  private of(key: TranscriptKey): Transcript {
    const name = sessionOf(key);
    const transcript =
      this.transcripts.get(name) ??
      new Transcript(key, this.client, (session) => this.settingsOf(key, session));
    this.transcripts.delete(name);
    this.transcripts.set(name, transcript);
    return transcript;
  }

  private settingsOf({ projectKey, sessionId, subpath }: TranscriptKey, session: string): OpenSessionRequest {
    const labels = { ...this.options.labels, [SESSION]: sessionId, ...(subpath && { [SUBPATH]: subpath }) };
    const own = { agent: AGENT, project: projectKey, labels, window: 0 };
    return { ...openInputOf(this.options, session), ...own };
  }

  /** A transcript that the service refuses, such as a closed one, does not hold up the others. */
  private async drain(): Promise<void> {
    const refusals: unknown[] = [];
    for (const transcript of this.transcripts.values())
      await transcript.drain().catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        refusals.push(error);
      });
    if (refusals.length > 0) throw refusals[0];
  }

  /** Drops lines that the service has, least recently used transcripts first. */
  private trim(): void {
    let spare = [...this.transcripts.values()].reduce((sum, one) => sum + one.spare, 0);
    for (const [name, transcript] of this.transcripts) {
      if (spare > this.charactersMax) {
        spare -= transcript.spare;
        transcript.forget();
      }
      if (this.transcripts.size > TRANSCRIPTS_MAX && transcript.missing === 0) this.transcripts.delete(name);
    }
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
    const done = this.last.then(async () => {
      const result = await this.outage.during(work);
      if (!this.outage.isPassing) this.outage.forgetPause();
      return result;
    });
    this.last = done.catch(() => {});
    return done;
  }
}

type Listed = { readonly key: TranscriptKey; readonly mtime: number };
