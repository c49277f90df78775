import { randomUUID } from 'node:crypto';
import { isActivity, type SessionCommand, type SessionState } from '@app/domain';
import {
  AppError,
  type AsOf,
  type CompactionId,
  type IsoTime,
  invariant,
  type RequestId,
  Revision,
  type StreamName,
} from '@app/kernel';
import { ConflictError, type EventLog } from '@app/ports';
import {
  type Ahead,
  type Caller,
  type CommandFor,
  commandOn,
  type Decision,
  decideAhead,
  decideAll,
  decideIfAllowed,
  type Executed,
  isMade,
  type Loaded,
  NOTHING,
  recordedIn,
  toRecord,
  typeOf,
} from './decisions.js';

import { type FoundRequest, findRequest } from './earlier-request.js';
import { InFlight } from './in-flight.js';
import { forgetInMoments } from './readers/moment.js';
import { SessionReader } from './readers/session-reader.js';
import { type RequestScope, recordedBefore, requireRevision } from './request-scope.js';
import { revisionAsOf } from './revision-as-of.js';
import { type SessionRef, streamOf } from './session-ref.js';
import { WriterQueues } from './writer-queues.js';

export type { Caller, Executed } from './decisions.js';

/** A command, and its event IDs if its request has an idempotency ID; assigned once, also if decided repeatedly. */
type Step = { readonly commandFor: CommandFor; ids: ((index: number) => string) | undefined };

/** Maximum attempts after conflicts; each conflict means progress of another writer. */
const TRIES = 50;

/** Loads sessions and executes commands on them. All events of sessions are recorded here. */
export class SessionStore {
  private readonly reader: SessionReader;
  private readonly inFlight = new InFlight();
  private readonly queues = new WriterQueues();
  private generation = 0;

  constructor(private readonly log: EventLog) {
    this.reader = new SessionReader(log, this.inFlight);
  }

  /**
   * Returns the state of a session, now or as of a revision.
   *
   * @throws {AppError} `revision-not-found` if the session has not reached `asOf`.
   */
  load(ref: SessionRef, asOf?: Revision): Promise<Loaded> {
    return this.reader.load(ref, asOf);
  }

  /**
   * Returns the state of a session in the cache, to which other processes may have added events. What is decided on it is
   * recorded only at its revision.
   */
  cached(ref: SessionRef): Loaded | undefined {
    return this.reader.hot.get(streamOf(ref));
  }

  /** Returns the current state of a session from the log instead of the cache, and caches it. */
  reload(ref: SessionRef): Promise<Loaded> {
    return this.reader.reread(streamOf(ref));
  }

  /**
   * Runs work that reads one session and writes another. A session that is new to the log has no revision at which the content that
   * it was made of could be refused: an erasure waits for such work, and refuses it the keys of the erased content.
   */
  copying<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.inFlight.track(work);
  }

  /** Changes whenever all sessions in memory are dropped, because content of one may have been erased. */
  get timesForgotten(): number {
    return this.generation;
  }

  /** Returns whether content of the session was erased after a request was composed. */
  async isErasedSince(ref: SessionRef, requestId: RequestId): Promise<boolean> {
    for await (const { event } of this.log.readBackwards(streamOf(ref))) {
      if (event.type === 'ContentErased') return true;
      if (event.type === 'RequestComposed' && event.data.requestId === requestId) return false;
    }
    return false;
  }

  /** Returns when the newest event of a session was recorded that retention periods count from; `undefined` without a session. */
  async activeAt(ref: SessionRef): Promise<IsoTime | undefined> {
    for await (const { event, recordedAt } of this.log.readBackwards(streamOf(ref)))
      if (isActivity(event)) return recordedAt;
    return undefined;
  }

  /** Drops all sessions in memory; resolves when no work in progress has read one from the log before the call. */
  async forgetAll(): Promise<void> {
    this.generation += 1;
    this.reader.hot.clear();
    forgetInMoments();
    await this.inFlight.settled();
    this.reader.hot.clear();
    forgetInMoments();
  }

  /**
   * Returns the state of a session, now or as of a revision, request or time.
   *
   * @throws {AppError} `revision-not-found`, `request-not-found`.
   */
  async loadAsOf(ref: SessionRef, asOf?: AsOf): Promise<Loaded> {
    return this.load(ref, asOf === undefined ? undefined : await revisionAsOf(this.log, ref, asOf));
  }

  /** Returns a request by its ID. @throws {AppError} `request-not-found`. */
  request(ref: SessionRef, id: RequestId): Promise<FoundRequest> {
    return findRequest(this.log, ref, id);
  }

  /** Returns the state of the session as if a compaction did not exist. */
  loadWithout(ref: SessionRef, compactionId: CompactionId): Promise<SessionState> {
    return this.reader.loadWithout(ref, compactionId);
  }

  /** Returns the revision before the first command of this type of an interrupted request; `undefined` if it recorded none. */
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
   * Decides a command and records its events; after a conflict, decides again on the new state. A command of a repeated request
   * is executed once.
   *
   * @throws {AppError} `revision-mismatch` if the session is not at the expected revision of the request.
   */
  execute(ref: SessionRef, commandFor: CommandFor, caller: Caller): Promise<Executed> {
    return this.executeAll(ref, [commandFor], caller);
  }

  /** Executes several commands like {@link execute}, each on the state after the previous ones, in one atomic append. */
  executeAll(ref: SessionRef, commandsFor: readonly CommandFor[], caller: Caller): Promise<Executed> {
    const expected = caller.request?.takeExpected(streamOf(ref));
    const steps = commandsFor.map((commandFor): Step => ({ commandFor, ids: undefined }));
    const isBegun = caller.request?.identity?.begunAfter !== undefined;
    return this.inFlight.track(() =>
      isBegun ? this.recordEach(ref, steps, caller, expected) : this.recordAll(ref, steps, caller, expected),
    );
  }

  /**
   * Decides on the expected state of a running append, for callers without a request. Returns `undefined` if there is nothing
   * to record or a command is rejected: the caller then waits for that append and decides again.
   */
  decideAhead(
    ref: SessionRef,
    commandsFor: readonly CommandFor[],
    caller: Omit<Caller, 'request'>,
    standing: Loaded,
  ): Promise<Ahead | undefined> {
    return decideAhead(
      { log: this.log, hot: this.reader.hot, inFlight: this.inFlight },
      ref,
      commandsFor,
      caller,
      standing,
    );
  }

  /** Executes the commands of a request that may have been interrupted: skips commands that are already recorded. */
  private async recordEach(
    ref: SessionRef,
    steps: readonly Step[],
    caller: Caller,
    expected?: Revision,
  ): Promise<Executed> {
    const all: Executed[] = [];
    for (const [at, step] of steps.entries()) {
      if (!step.ids && caller.request) {
        const { state, revision } = all.at(-1) ?? (await this.reader.current(streamOf(ref)));
        const type = await typeOf(step.commandFor, state, revision);
        step.ids = caller.request.idsOfNext(streamOf(ref), type);
      }
      const done = await this.doneBefore(ref, step, caller.request);
      all.push(done ?? (await this.recordAll(ref, [step], caller, at === 0 ? expected : undefined)));
    }
    const last = all.at(-1);
    invariant(last, 'there is a command');
    return { ...last, events: all.flatMap(({ events }) => events), ids: all.flatMap(({ ids }) => ids) };
  }

  private async recordAll(
    ref: SessionRef,
    steps: readonly Step[],
    caller: Caller,
    expected: Revision | undefined,
  ): Promise<Executed> {
    const recorded = await this.queues.during(streamOf(ref), (afterConflict) =>
      this.tryToRecord(ref, steps, caller, expected, afterConflict),
    );
    return recorded === 'earlier' ? this.recordEach(ref, steps, caller) : recorded;
  }

  /**
   * Returns `earlier` if another execution of the same request has recorded events of it.
   *
   * @param afterConflict called after each conflict.
   */
  private async tryToRecord(
    ref: SessionRef,
    steps: readonly Step[],
    caller: Caller,
    expected: Revision | undefined,
    afterConflict: () => Promise<void>,
  ): Promise<Executed | 'earlier'> {
    const stream = streamOf(ref);
    // The cached state may be stale: a decision on it is only recorded if it was current, and an error or an empty decision is
    // checked on the current state.
    const hot = this.reader.hot.get(stream);
    let loaded = hot ?? (await this.reader.current(stream));
    let isOld = hot !== undefined;
    for (let attempt = 1; ; ) {
      if (!isOld) requireRevision(expected, loaded.revision);
      const decision = await decisionOn(steps, loaded, isOld, expected);
      await caller.request?.identity?.permitted;
      const hasNews = decision.parts.some(({ events }) => events.length > 0);
      if (!hasNews) {
        const current = isOld ? await this.reader.current(stream) : loaded;
        if (decision !== NOTHING && current.revision === loaded.revision) {
          nameEach(steps, decision, stream, caller.request);
          caller.request?.sees(stream, loaded.revision);
          return { ...loaded, events: [], ids: [] };
        }
        [loaded, isOld] = [current, false];
        continue;
      }
      try {
        return await this.record(ref, loaded, decision, steps, caller);
      } catch (error) {
        if (!(error instanceof ConflictError)) {
          this.reader.hot.delete(stream);
          throw error;
        }
        if (await this.isRecorded(stream, steps, loaded.revision)) return 'earlier';
        if (attempt === TRIES) {
          const message = `session "${ref.session}" has too many concurrent writers: try again`;
          throw new AppError('concurrency-conflict', message, { cause: error });
        }
        attempt += 1;
        await afterConflict();
      }
      loaded = await this.reader.newer(stream, loaded.revision);
      isOld = false;
    }
  }

  /** Whether events of these commands have been recorded after a revision. */
  private async isRecorded(
    stream: StreamName,
    steps: readonly Step[],
    after: Revision | undefined,
  ): Promise<boolean> {
    const wanted = new Set(steps.flatMap(({ ids }) => ids?.(0) ?? []));
    if (wanted.size === 0) return false;
    const from = after === undefined ? {} : { from: Revision(after + 1) };
    for await (const { id } of this.log.readForwards(stream, from)) if (wanted.has(id)) return true;
    return false;
  }

  /** Returns the original result of a command that is already recorded; `undefined` if it is not. */
  private async doneBefore(
    ref: SessionRef,
    { ids, commandFor }: Step,
    request: RequestScope | undefined,
  ): Promise<Executed | undefined> {
    if (!ids) return undefined;
    const recorded = await recordedBefore(this.log, streamOf(ref), ids, request?.identity?.begunAfter);
    const [first, last] = [recorded[0], recorded.at(-1)];
    if (!first || !last) return undefined;
    // Commands that are functions of the state may need the state that they were decided on.
    if (isMade(commandFor) && first.revision > 0) {
      const before = await this.load(ref, Revision(first.revision - 1));
      await commandOn(commandFor, before.state, before.revision);
    }
    const after = await this.load(ref, last.revision);
    request?.sees(streamOf(ref), after.revision);
    return { ...after, events: recorded.map(({ event }) => event), ids: recorded.map(({ id }) => id) };
  }

  private async record(
    ref: SessionRef,
    before: Loaded,
    decision: Decision,
    steps: readonly Step[],
    caller: Caller,
  ): Promise<Executed> {
    const [stream, { after }] = [streamOf(ref), decision];
    nameEach(steps, decision, stream, caller.request);
    const idOf = (at: number, index: number): string => steps[at]?.ids?.(index) ?? randomUUID();
    const { news, context } = toRecord(ref, before, decision, caller, idOf);
    const revision = await this.log.append(stream, before.revision ?? 'no-stream', news, context);
    caller.request?.sees(stream, revision);
    // The context restored by a revert is only in the log.
    if (after === undefined) return { ...(await this.reader.reread(stream)), ...recordedIn(news) };
    this.reader.hot.set(stream, after);
    return { ...after, ...recordedIn(news) };
  }
}

const decisionOn = (
  steps: readonly Step[],
  loaded: Loaded,
  isOld: boolean,
  expected: Revision | undefined,
): Promise<Decision> | Decision => {
  const commandsFor = steps.map(({ commandFor }) => commandFor);
  if (!isOld) return decideAll(commandsFor, loaded);
  const isElsewhere = expected !== undefined && loaded.revision !== expected;
  return isElsewhere ? NOTHING : decideIfAllowed(commandsFor, loaded);
};

/** Assigns event IDs to each command, also if it records nothing. */
const nameEach = (
  steps: readonly Step[],
  { parts }: Decision,
  stream: StreamName,
  request: RequestScope | undefined,
): void => {
  for (const [at, step] of steps.entries()) {
    const type = parts[at]?.type;
    if (type !== undefined) step.ids ??= request?.idsOfNext(stream, type);
  }
};
