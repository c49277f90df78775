import {
  checkQuotes,
  type EventData,
  fold,
  initialState,
  knownUserText,
  type Message,
  type Placed,
  rebuild,
  type SessionEvent,
  type SessionState,
} from '@app/domain';
import { AppError, InvariantViolation, type Revision, type StreamName } from '@app/kernel';
import type { EventLog, Recorded } from '@app/ports';
import { rebuildRequest } from '../gateway/rebuild-request.js';
import { readTail } from '../sessions/readers/read-tail.js';
import { DecisionRecord, decisionProblem } from './decision-record.js';

/** The comparisons of a replay and their differences; each problem names its revision. */
export type SessionReplay = {
  readonly problems: readonly string[];
  readonly requests: number;
  readonly summaries: number;
  readonly decisions: number;
};

/**
 * Replays all events of a session, from its first on: composes each recorded request again and compares its digest, looks for
 * the quotes of each summary among the messages before it, and for the reason of each decision.
 */
export const replaySession = async (events: readonly Recorded[]): Promise<SessionReplay> =>
  new Replay(events).run();

/** A request, and whether an override allowed it. */
type Expected = {
  readonly at: Revision;
  readonly composed: EventData<'RequestComposed'>;
  readonly isOverridden: boolean;
};

class Replay {
  readonly #problems: string[] = [];
  readonly #messages: Message[] = [];
  readonly #record = new DecisionRecord();
  #requests = 0;
  #summaries = 0;
  #decisions = 0;

  constructor(private readonly events: readonly Recorded[]) {}

  async run(): Promise<SessionReplay> {
    const expected = requestsByRevision(this.events);
    let state: SessionState = initialState;
    let pending: Placed[] = [];
    for (const { event, revision } of this.events) {
      this.#check(event, revision, () => (state = fold(state, pending.splice(0))));
      if (event.type === 'CompactionReverted') {
        state = await this.#stateAt(revision);
        pending = [];
      } else pending.push({ event, revision });
      const due = expected.get(revision) ?? [];
      if (due.length === 0) continue;
      state = fold(state, pending.splice(0));
      for (const request of due) await this.#compare(state, request);
    }
    return {
      problems: this.#problems,
      requests: this.#requests,
      summaries: this.#summaries,
      decisions: this.#decisions,
    };
  }

  /** The context that a revert restores is in the events before it. */
  async #stateAt(revision: Revision): Promise<SessionState> {
    const { tail } = await readTail(logOf(this.events), STREAM, { asOf: revision });
    return rebuild(tail);
  }

  async #compare(state: SessionState, { at, composed, isOverridden }: Expected): Promise<void> {
    this.#requests += 1;
    try {
      if (state.status !== 'open') this.#problems.push(`revision ${at} has a request of no session`);
      else if (!(await rebuildRequest(state, { composed, isOverridden })).digestMatches)
        this.#problems.push(
          `the request ${composed.requestId} in revision ${at} is not the one that its events compose`,
        );
    } catch (error) {
      if (!(error instanceof AppError || error instanceof InvariantViolation)) throw error;
      this.#problems.push(`the request ${composed.requestId} in revision ${at} cannot be composed again`);
    }
  }

  #check(event: SessionEvent, revision: Revision, before: () => SessionState): void {
    if (event.type === 'MessageAppended') this.#messages.push(event.data.message);
    if (event.type === 'CompactionCompleted' && event.data.summary !== null)
      this.#quotes(event, revision, before());
    const problem = decisionProblem(event, this.#record);
    this.#record.add(event);
    if (problem === 'no-decision') return;
    this.#decisions += 1;
    if (problem !== undefined) this.#problems.push(`revision ${revision}: ${problem}`);
  }

  #quotes(
    { data }: Extract<SessionEvent, { readonly type: 'CompactionCompleted' }>,
    revision: Revision,
    before: SessionState,
  ): void {
    // Summaries of other programs are recorded as they are, without a check.
    if (data.quotes === undefined || typeof data.summary !== 'string') return;
    this.#summaries += 1;
    const pivot = before.status === 'open' ? before.pivot : undefined;
    const earlier =
      pivot && typeof pivot.summary === 'string'
        ? { summary: pivot.summary, check: pivot.quotes }
        : undefined;
    const { unfounded } = checkQuotes(data.summary, knownUserText(this.#messages, earlier));
    if (unfounded.length > data.quotes.unfounded.length)
      this.#problems.push(
        `the summary in revision ${revision} has ${unfounded.length} quotes that are not in the log, and records ${data.quotes.unfounded.length}`,
      );
  }
}

/** Requests by the revision that they were composed from: everything up to it is in them. */
const requestsByRevision = (events: readonly Recorded[]): ReadonlyMap<number, readonly Expected[]> => {
  const found = new Map<number, Expected[]>();
  let overriddenAfter = -1;
  for (const { event, revision } of events) {
    if (event.type === 'CompactionOverridden') overriddenAfter = revision;
    if (event.type !== 'RequestComposed') continue;
    const { data: composed } = event;
    const isOverridden = overriddenAfter > composed.revision;
    const own = found.get(composed.revision) ?? [];
    found.set(composed.revision, [...own, { at: revision, composed, isOverridden }]);
  }
  return found;
};

/** Name of the only stream in the log below. */
const STREAM = '' as StreamName;

/** Events as a log of one stream that is read backwards. */
const logOf = (events: readonly Recorded[]): Pick<EventLog, 'readBackwards'> => ({
  readBackwards: async function* (_, { from, limit = events.length } = {}) {
    const end =
      from === undefined ? events.length : events.findIndex(({ revision }) => revision === from) + 1;
    yield* events.slice(Math.max(0, end - limit), end).reverse();
  },
});
