import { randomUUID } from 'node:crypto';
import {
  decide,
  evolve,
  initialState,
  rebuild,
  type SessionCommand,
  type SessionEvent,
  type SessionState,
} from '@app/domain';
import { type Actor, AppError, Revision, type StreamName } from '@app/kernel';
import { ConflictError, type EventContext, type EventLog } from '@app/ports';
import { readTail } from './read-tail.js';
import { type SessionRef, streamOf } from './session-ref.js';

export type Loaded = { readonly state: SessionState; readonly revision: Revision | undefined };
export type Executed = Loaded & {
  readonly events: readonly SessionEvent[];
  /** Ids of the events recorded, in order. */
  readonly ids: readonly string[];
};
export type Caller = { readonly actor: Actor; readonly causationId?: string };

/** Sessions kept at hand; each holds at most what fits its window. */
const HOT_SESSIONS = 64;
/** Tries against other writers of one session. Each of them has made progress. */
const TRIES = 50;

/** Loads sessions, and carries commands out on them: the one way in which anything is recorded. */
export class SessionStore {
  private readonly hot = new Map<StreamName, Loaded>();

  constructor(private readonly log: EventLog) {}

  /**
   * The state of a session now, or as of one of its revisions.
   *
   * @throws {AppError} `revision-not-found` where the session has not come to `asOf` yet.
   */
  async load(ref: SessionRef, asOf?: Revision): Promise<Loaded> {
    if (asOf === undefined) return this.current(streamOf(ref));
    const { tail, revision } = await readTail(this.log, streamOf(ref), asOf);
    if (revision === undefined) return { state: initialState, revision };
    if (revision !== asOf) {
      const message = `session "${ref.session}" has not come to revision ${asOf} yet: its newest is ${revision}`;
      throw new AppError('revision-not-found', message);
    }
    return { state: rebuild(tail), revision };
  }

  /**
   * Decides and records. The loser of a race decides anew on what the winner has left.
   *
   * @param commandFor the command for the state that it will be decided on.
   */
  async execute(ref: SessionRef, commandFor: CommandFor, { actor, causationId }: Caller): Promise<Executed> {
    const stream = streamOf(ref);
    // What is at hand may be old: a decision on it is recorded only if it was not, and "nothing to do" is not believed.
    let loaded = this.hot.get(stream) ?? (await this.current(stream));
    for (let attempt = 1; ; attempt += 1) {
      let events = eventsOf(commandFor, loaded);
      if (events.length === 0) {
        loaded = await this.current(stream);
        events = eventsOf(commandFor, loaded);
        if (events.length === 0) return { ...loaded, events, ids: [] };
      }
      const after = fold(loaded, events);
      const context = {
        actor,
        correlationId: correlationOf(ref, after.state),
        ...(causationId && { causationId }),
      };
      const ids = events.map(() => randomUUID());
      try {
        await this.record(stream, loaded, events, ids, context);
        this.keep(stream, after);
        return { ...after, events, ids };
      } catch (error) {
        this.hot.delete(stream);
        if (!(error instanceof ConflictError)) throw error;
        if (attempt === TRIES) {
          throw new AppError(
            'concurrency-conflict',
            `session "${ref.session}" is written to by too many at once: try again`,
          );
        }
        loaded = await this.current(stream);
      }
    }
  }

  private record(
    stream: StreamName,
    { revision }: Loaded,
    events: readonly SessionEvent[],
    ids: readonly string[],
    context: EventContext,
  ): Promise<Revision> {
    const news = events.map((event, at) => ({ id: ids[at] ?? randomUUID(), event }));
    return this.log.append(stream, revision ?? 'no-stream', news, context);
  }

  /** What is at hand, brought up to date with what came after it; else read from the newest compaction on. */
  private async current(stream: StreamName): Promise<Loaded> {
    const known = this.hot.get(stream);
    if (known?.revision === undefined) {
      const { tail, revision } = await readTail(this.log, stream);
      return this.keep(stream, { state: rebuild(tail), revision });
    }
    let { state, revision } = known;
    for await (const placed of this.log.readForwards(stream, { from: Revision(known.revision + 1) })) {
      state = evolve(state, placed);
      revision = placed.revision;
    }
    return this.keep(stream, { state, revision });
  }

  private keep(stream: StreamName, loaded: Loaded): Loaded {
    this.hot.delete(stream);
    if (loaded.revision !== undefined) this.hot.set(stream, loaded);
    const [oldest] = this.hot.keys();
    if (this.hot.size > HOT_SESSIONS && oldest !== undefined) this.hot.delete(oldest);
    return loaded;
  }
}

type CommandFor = SessionCommand | ((state: SessionState) => SessionCommand | undefined);
const eventsOf = (commandFor: CommandFor, { state }: Loaded): readonly SessionEvent[] => {
  const command = typeof commandFor === 'function' ? commandFor(state) : commandFor;
  return command ? decide(command, state) : [];
};

const fold = ({ state, revision }: Loaded, events: readonly SessionEvent[]): Loaded => {
  const first = revision === undefined ? 0 : revision + 1;
  const after = events.reduce(
    (now, event, at) => evolve(now, { event, revision: Revision(first + at) }),
    state,
  );
  return { state: after, revision: Revision(first + events.length - 1) };
};

/** Everything that a turn causes carries its name. */
const correlationOf = ({ session }: SessionRef, state: SessionState): string =>
  `${session}/turn-${state.status === 'open' ? state.turn : 0}`;
