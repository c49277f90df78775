import { fold, initialState, rebuild, type SessionState } from '@app/domain';
import { AppError, type CompactionId, collected, Revision, type StreamName } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { type Loaded, revertsIn } from '../decisions.js';
import type { InFlight } from '../in-flight.js';
import { type SessionRef, streamOf } from '../session-ref.js';
import { hotSessions } from './hot-sessions.js';
import { currentMoment, pinnedRevision } from './moment.js';
import { readTail } from './read-tail.js';

/** Loads sessions from the log, with a cache. */
export class SessionReader {
  readonly hot = hotSessions();

  constructor(
    private readonly log: EventLog,
    private readonly inFlight: InFlight,
  ) {}

  /**
   * Returns the state of a session, now or as of a revision.
   *
   * @throws {AppError} `revision-not-found` if the session has not reached `asOf`.
   */
  async load(ref: SessionRef, asOf?: Revision): Promise<Loaded> {
    if (asOf === undefined) return this.pinned(ref) ?? this.current(streamOf(ref));
    const { tail, revision } = await readTail(this.log, streamOf(ref), { asOf });
    if (revision === undefined) return { state: initialState, revision };
    if (revision !== asOf) {
      const message = `session "${ref.session}" has no revision ${asOf}: give one up to its newest, ${revision}`;
      throw new AppError('revision-not-found', message);
    }
    return { state: rebuild(tail), revision };
  }

  /** Returns the state that the running request reads throughout, if it is composed of reads as of one revision. */
  private pinned(ref: SessionRef): Promise<Loaded> | undefined {
    const [moment, revision] = [currentMoment(), pinnedRevision(streamOf(ref))];
    if (!moment || revision === undefined) return undefined;
    moment.state ??= this.load(ref, revision);
    return moment.state;
  }

  /** Returns the state of the session as if a compaction did not exist. */
  async loadWithout(ref: SessionRef, compactionId: CompactionId): Promise<SessionState> {
    const { tail } = await readTail(this.log, streamOf(ref), { without: compactionId });
    return rebuild(tail);
  }

  /** Returns the cached state with later events applied, or rebuilds it from the newest compaction. */
  current(stream: StreamName): Promise<Loaded> {
    return this.inFlight.track(() => this.refreshed(stream));
  }

  /** Returns the current state like {@link current}, after an append at `revision` has failed because the stream is not there. */
  async newer(stream: StreamName, revision: Revision | undefined): Promise<Loaded> {
    const loaded = await this.current(stream);
    // Nothing was recorded after it: the stream is shorter than the cached state.
    return loaded.revision === revision ? this.reread(stream) : loaded;
  }

  private async refreshed(stream: StreamName): Promise<Loaded> {
    const known = this.hot.get(stream);
    if (known?.revision === undefined) return this.reread(stream);
    const from = Revision(known.revision + 1);
    const news = await collected(this.log.readForwards(stream, { from }));
    if (news.length === 0) return known;
    if (revertsIn(news.map(({ event }) => event))) return this.reread(stream);
    const revision = news.at(-1)?.revision ?? known.revision;
    return this.keep(stream, { state: fold(known.state, news), revision });
  }

  /** Rebuilds the state from the log, without the cache. */
  reread(stream: StreamName): Promise<Loaded> {
    return this.inFlight.track(async () => {
      const { tail, revision } = await readTail(this.log, stream);
      return this.keep(stream, { state: rebuild(tail), revision });
    });
  }

  private keep(stream: StreamName, loaded: Loaded): Loaded {
    if (loaded.revision === undefined) this.hot.delete(stream);
    else this.hot.set(stream, loaded);
    return loaded;
  }
}
