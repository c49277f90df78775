import { randomUUID } from 'node:crypto';
import {
  decide,
  fold,
  initialState,
  rebuild,
  type SessionCommand,
  type SessionEvent,
  type SessionState,
} from '@app/domain';
import { type Actor, AppError, type CompactionId, Revision, type StreamName } from '@app/kernel';
import { ConflictError, type EventLog, type Recorded } from '@app/ports';
import { readTail } from './read-tail.js';
import { recordedBefore } from './requests/recorded-before.js';
import { type RequestScope, requireRevision } from './requests/request-scope.js';
import { type SessionRef, streamOf } from './session-ref.js';

export type Loaded = { readonly state: SessionState; readonly revision: Revision | undefined };
export type Executed = Loaded & {
  readonly events: readonly SessionEvent[];
  /** Ids of the events recorded, in order. */
  readonly ids: readonly string[];
};
export type Caller = {
  readonly actor: Actor;
  readonly causationId?: string | undefined;
  /** What the commands of his request have in common; absent where each stands for itself. */
  readonly request?: RequestScope;
};

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
    const { tail, revision } = await readTail(this.log, streamOf(ref), { asOf });
    if (revision === undefined) return { state: initialState, revision };
    if (revision !== asOf) {
      const message = `session "${ref.session}" has not come to revision ${asOf} yet: its newest is ${revision}`;
      throw new AppError('revision-not-found', message);
    }
    return { state: rebuild(tail), revision };
  }

  /** The session as it would be now, had a compaction of it never been. */
  async loadWithout(ref: SessionRef, compactionId: CompactionId): Promise<SessionState> {
    const { tail } = await readTail(this.log, streamOf(ref), { without: compactionId });
    return rebuild(tail);
  }

  /**
   * Where a session stood before its caller's request began with commands of this type; `undefined` where it has not yet.
   */
  async revisionBefore(
    ref: SessionRef,
    type: SessionCommand['type'],
    { request }: Caller,
  ): Promise<Revision | undefined> {
    const ids = request?.idsOfFirst(streamOf(ref), type);
    if (!ids || request?.identity?.begunAfter === undefined) return undefined;
    const [first] = await recordedBefore(this.log, streamOf(ref), ids, request.identity.begunAfter);
    return first && first.revision > 0 ? Revision(first.revision - 1) : undefined;
  }

  /**
   * Decides and records. The loser of a race decides anew on what the winner has left. A command of a request that
   * somebody has begun with before is carried out once.
   *
   * @param commandFor the command for the state that it will be decided on.
   * @throws {AppError} `revision-mismatch` where the session is not where the caller's request takes it to be.
   */
  async execute(ref: SessionRef, commandFor: CommandFor, caller: Caller): Promise<Executed> {
    const stream = streamOf(ref);
    const { request } = caller;
    const expected = request?.takeExpected(stream);
    // What is at hand may be old: a decision on it is recorded only if it was not, and neither a refusal nor "nothing
    // to do" is believed.
    const hot = this.hot.get(stream);
    let loaded = hot ?? (await this.current(stream));
    let isOld = hot !== undefined;
    const ids = request?.identity && request.idsOfNext(stream, typeOf(commandFor, loaded));
    const doneBefore = () => this.doneBefore(ref, commandFor, ids, request);
    const done = request?.identity?.begunAfter === undefined ? undefined : await doneBefore();
    if (done) return done;
    for (let attempt = 1; ; ) {
      if (!isOld) requireRevision(expected, loaded.revision);
      const isElsewhere = expected !== undefined && loaded.revision !== expected;
      const events = isOld && isElsewhere ? [] : decided(commandFor, loaded, isOld);
      if (events.length === 0 && !isOld) {
        request?.sees(stream, loaded.revision);
        return { ...loaded, events, ids: [] };
      }
      if (events.length > 0) {
        try {
          return await this.record(ref, loaded, events, caller, ids);
        } catch (error) {
          this.hot.delete(stream);
          if (!(error instanceof ConflictError)) throw error;
          // The faster one may have been another who carries out the same request.
          const byAnother = await doneBefore();
          if (byAnother) return byAnother;
          if (attempt === TRIES) {
            const message = `session "${ref.session}" is written to by too many at once: try again`;
            throw new AppError('concurrency-conflict', message, { cause: error });
          }
          attempt += 1;
        }
      }
      loaded = await this.current(stream);
      isOld = false;
    }
  }

  /** What a command has done already, told as it was told then; `undefined` where it has not. */
  private async doneBefore(
    ref: SessionRef,
    commandFor: CommandFor,
    ids: ((index: number) => string) | undefined,
    request: RequestScope | undefined,
  ): Promise<Executed | undefined> {
    if (!ids) return undefined;
    const recorded = await recordedBefore(this.log, streamOf(ref), ids, request?.identity?.begunAfter);
    const [first, last] = [recorded[0], recorded.at(-1)];
    if (!first || !last) return undefined;
    // Whoever makes the command out of the state may want to know that state.
    if (typeof commandFor === 'function' && first.revision > 0) {
      const before = await this.load(ref, Revision(first.revision - 1));
      commandFor(before.state, before.revision);
    }
    const after = await this.load(ref, last.revision);
    request?.sees(streamOf(ref), after.revision);
    return { ...after, events: recorded.map(({ event }) => event), ids: recorded.map(({ id }) => id) };
  }

  private async record(
    ref: SessionRef,
    before: Loaded,
    events: readonly SessionEvent[],
    { actor, causationId, request }: Caller,
    idOf: (index: number) => string = () => randomUUID(),
  ): Promise<Executed> {
    const after = revertsIn(events) ? undefined : withEvents(before, events);
    const context = {
      actor,
      correlationId: correlationOf(ref, (after ?? before).state),
      ...(causationId && { causationId }),
    };
    const news = events.map((event, index) => ({ id: idOf(index), event }));
    const revision = await this.log.append(streamOf(ref), before.revision ?? 'no-stream', news, context);
    request?.sees(streamOf(ref), revision);
    const recorded = { events, ids: news.map(({ id }) => id) };
    // What a revert brings back is in the log alone.
    if (after === undefined) return { ...(await this.reread(streamOf(ref))), ...recorded };
    this.keep(streamOf(ref), after);
    return { ...after, ...recorded };
  }

  /** What is at hand, brought up to date with what came after it; else read from the newest compaction on. */
  private async current(stream: StreamName): Promise<Loaded> {
    const known = this.hot.get(stream);
    if (known?.revision === undefined) return this.reread(stream);
    const news: Recorded[] = [];
    const from = Revision(known.revision + 1);
    for await (const placed of this.log.readForwards(stream, { from })) news.push(placed);
    if (revertsIn(news.map(({ event }) => event))) return this.reread(stream);
    const revision = news.at(-1)?.revision ?? known.revision;
    return this.keep(stream, { state: fold(known.state, news), revision });
  }

  private async reread(stream: StreamName): Promise<Loaded> {
    const { tail, revision } = await readTail(this.log, stream);
    return this.keep(stream, { state: rebuild(tail), revision });
  }

  private keep(stream: StreamName, loaded: Loaded): Loaded {
    this.hot.delete(stream);
    if (loaded.revision !== undefined) this.hot.set(stream, loaded);
    const [oldest] = this.hot.keys();
    if (this.hot.size > HOT_SESSIONS && oldest !== undefined) this.hot.delete(oldest);
    return loaded;
  }
}

const revertsIn = (events: readonly SessionEvent[]): boolean =>
  events.some(({ type }) => type === 'CompactionReverted');

type CommandFor =
  | SessionCommand
  | ((state: SessionState, revision: Revision | undefined) => SessionCommand | undefined);
/** What a command is called, whatever state it will be decided on. */
const typeOf = (commandFor: CommandFor, { state, revision }: Loaded): string =>
  (typeof commandFor === 'function' ? commandFor(state, revision)?.type : commandFor.type) ?? 'none';

/** @param isOld whether the session may have gone on: what is refused then might not be now. */
const decided = (
  commandFor: CommandFor,
  { state, revision }: Loaded,
  isOld: boolean,
): readonly SessionEvent[] => {
  try {
    const command = typeof commandFor === 'function' ? commandFor(state, revision) : commandFor;
    return command ? decide(command, state) : [];
  } catch (error) {
    if (isOld && error instanceof AppError) return [];
    throw error;
  }
};

const withEvents = ({ state, revision }: Loaded, events: readonly SessionEvent[]): Loaded => {
  const first = revision === undefined ? 0 : revision + 1;
  const placed = events.map((event, at) => ({ event, revision: Revision(first + at) }));
  return { state: fold(state, placed), revision: Revision(first + events.length - 1) };
};

/** Everything that a turn causes carries its name. */
const correlationOf = ({ session }: SessionRef, state: SessionState): string =>
  `${session}/turn-${state.status === 'open' ? state.turn : 0}`;
