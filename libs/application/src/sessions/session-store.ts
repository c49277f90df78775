import { randomUUID } from 'node:crypto';
import type { SessionCommand, SessionState } from '@app/domain';
import {
  AppError,
  type AsOf,
  type CompactionId,
  invariant,
  type RequestId,
  Revision,
  type StreamName,
} from '@app/kernel';
import { ConflictError, type EventLog } from '@app/ports';
import { type CommandFor, commandOn, isMade, typeOf } from './decisions/command-for.js';
import { type Ahead, decideAhead } from './decisions/decide-ahead.js';
import { type Decision, decideAll, decideIfAllowed, type Loaded, NOTHING } from './decisions/decide-all.js';
import type { Caller, Executed } from './decisions/executed.js';
import { recordedIn, toRecord } from './decisions/to-record.js';
import { type FoundRequest, findRequest } from './find-request.js';
import { SessionReader } from './readers/session-reader.js';
import { recordedBefore } from './requests/recorded-before.js';
import { type RequestScope, requireRevision } from './requests/request-scope.js';
import { revisionAsOf } from './revision-as-of.js';
import { type SessionRef, streamOf } from './session-ref.js';

export type { Caller, Executed } from './decisions/executed.js';

/** A command, and the ids of its events where its request names them: given once, however often it is decided. */
type Step = { readonly commandFor: CommandFor; ids: ((index: number) => string) | undefined };

/** Tries against other writers of one session. Each of them has made progress. */
const TRIES = 50;

/** Loads sessions, and carries commands out on them: the one way in which anything is recorded. */
export class SessionStore {
  private readonly reader: SessionReader;

  constructor(private readonly log: EventLog) {
    this.reader = new SessionReader(log);
  }

  /**
   * The state of a session now, or as of one of its revisions.
   *
   * @throws {AppError} `revision-not-found` where the session has not come to `asOf` yet.
   */
  load(ref: SessionRef, asOf?: Revision): Promise<Loaded> {
    return this.reader.load(ref, asOf);
  }

  /**
   * The state of a session now, or as of a revision, of what a request was composed from, or of a time.
   *
   * @throws {AppError} `revision-not-found`, `request-not-found`.
   */
  async loadAsOf(ref: SessionRef, asOf?: AsOf): Promise<Loaded> {
    return this.load(ref, asOf === undefined ? undefined : await revisionAsOf(this.log, ref, asOf));
  }

  /** A request of a session by its id. @throws {AppError} `request-not-found`. */
  request(ref: SessionRef, id: RequestId): Promise<FoundRequest> {
    return findRequest(this.log, ref, id);
  }

  /** The session as it would be now, had a compaction of it never been. */
  loadWithout(ref: SessionRef, compactionId: CompactionId): Promise<SessionState> {
    return this.reader.loadWithout(ref, compactionId);
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
   * @throws {AppError} `revision-mismatch` where the session is not where the caller's request takes it to be.
   */
  execute(ref: SessionRef, commandFor: CommandFor, caller: Caller): Promise<Executed> {
    return this.executeAll(ref, [commandFor], caller);
  }

  /**
   * The same for several commands, each decided on what those before it leave: what they cause is recorded in one append,
   * all of it or nothing.
   */
  executeAll(ref: SessionRef, commandsFor: readonly CommandFor[], caller: Caller): Promise<Executed> {
    const expected = caller.request?.takeExpected(streamOf(ref));
    const steps = commandsFor.map((commandFor): Step => ({ commandFor, ids: undefined }));
    const isBegun = caller.request?.identity?.begunAfter !== undefined;
    return isBegun
      ? this.recordEach(ref, steps, caller, expected)
      : this.recordAll(ref, steps, caller, expected);
  }

  /**
   * Decides on what an append that is under way will leave, for callers who are no request; `undefined` where there would be
   * nothing to record, or something is refused: whether that is so is seen once that append is recorded.
   */
  decideAhead(
    ref: SessionRef,
    commandsFor: readonly CommandFor[],
    caller: Omit<Caller, 'request'>,
    standing: Loaded,
  ): Promise<Ahead | undefined> {
    return decideAhead({ log: this.log, hot: this.reader.hot }, ref, commandsFor, caller, standing);
  }

  /** For a request that somebody may have broken off anywhere: what of its commands is not recorded is carried out. */
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
    const stream = streamOf(ref);
    // What is at hand may be old: a decision on it is recorded only if it was not, and neither a refusal nor "nothing
    // to do" is believed.
    const hot = this.reader.hot.get(stream);
    let loaded = hot ?? (await this.reader.current(stream));
    let isOld = hot !== undefined;
    for (let attempt = 1; ; ) {
      if (!isOld) requireRevision(expected, loaded.revision);
      const decision = await decisionOn(steps, loaded, isOld, expected);
      const hasNews = decision.parts.some(({ events }) => events.length > 0);
      if (!hasNews && (!isOld || (await this.isStanding(stream, loaded, decision)))) {
        nameEach(steps, decision, stream, caller.request);
        caller.request?.sees(stream, loaded.revision);
        return { ...loaded, events: [], ids: [] };
      }
      if (hasNews) {
        try {
          return await this.record(ref, loaded, decision, steps, caller);
        } catch (error) {
          this.reader.hot.forget(stream);
          if (!(error instanceof ConflictError)) throw error;
          // The faster one may have been another who carries out the same request.
          if (await this.isRecorded(stream, steps, loaded.revision))
            return this.recordEach(ref, steps, caller);
          if (attempt === TRIES) {
            const message = `session "${ref.session}" is written to by too many at once: try again`;
            throw new AppError('concurrency-conflict', message, { cause: error });
          }
          attempt += 1;
        }
      }
      loaded = await this.reader.current(stream);
      isOld = false;
    }
  }

  /** Whether a decision on what is at hand holds for what the log has. */
  private async isStanding(stream: StreamName, { revision }: Loaded, decision: Decision): Promise<boolean> {
    return decision !== NOTHING && (await this.reader.current(stream)).revision === revision;
  }

  /** Whether somebody has recorded, after this revision, what one of the commands causes. */
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

  /** What a command has done already, told as it was told then; `undefined` where it has not. */
  private async doneBefore(
    ref: SessionRef,
    { ids, commandFor }: Step,
    request: RequestScope | undefined,
  ): Promise<Executed | undefined> {
    if (!ids) return undefined;
    const recorded = await recordedBefore(this.log, streamOf(ref), ids, request?.identity?.begunAfter);
    const [first, last] = [recorded[0], recorded.at(-1)];
    if (!first || !last) return undefined;
    // Whoever makes the command out of the state may want to know that state.
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
    // What a revert brings back is in the log alone.
    if (after === undefined) return { ...(await this.reader.reread(stream)), ...recordedIn(news) };
    this.reader.hot.keep(stream, after);
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

/** Each command takes the ids that stand for it, whether it causes anything or not. */
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
