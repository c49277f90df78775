import { invariant, isJsonObject, type Json } from '@app/kernel';
import type { Engine, Put } from '../../storage/engine.js';
import type { Draft } from '../appends/draft.js';
import type { LogReader } from '../log-reader.js';
import type { StoredEvent } from '../record.js';
import {
  byCategory,
  byCorrelationId,
  byEventType,
  type LinksOf,
  ofUserStreams,
  streamByCategory,
  streams,
} from './links-of.js';

const RULES = {
  $by_category: ofUserStreams(byCategory),
  $by_event_type: ofUserStreams(byEventType),
  $by_correlation_id: ofUserStreams(byCorrelationId),
  $stream_by_category: ofUserStreams(streamByCategory),
  $streams: ofUserStreams(streams),
} as const satisfies Readonly<Record<string, LinksOf>>;
export type ProjectionName = keyof typeof RULES;

export const PROJECTIONS = Object.keys(RULES).filter((name): name is ProjectionName =>
  Object.hasOwn(RULES, name),
);
export const isProjection = (name: string): name is ProjectionName => Object.hasOwn(RULES, name);

/** The mode that an operator sets. `aborted` equals `stopped`: aborting loses nothing here. */
export type ProjectionMode = 'running' | 'stopped' | 'aborted';

export type ProjectionState = {
  readonly mode: ProjectionMode;
  /** Has linked the whole history: new links are written in the transaction of their events. */
  readonly live: boolean;
  /** The first position without links; unused if live. */
  readonly position: number;
};
type States = Readonly<Record<ProjectionName, ProjectionState>>;

/** The projection entries of a transaction, and the states after its commit. */
export type ProjectionStep = {
  readonly links: LinksOf;
  readonly puts: readonly Put[];
  readonly committed: () => void;
  readonly failed: (fault: unknown) => void;
};
type Switch = {
  readonly name: ProjectionName;
  readonly mode: ProjectionMode;
  readonly done: () => void;
  readonly failed: (fault: unknown) => void;
};

/** Events of the history per transaction and lagging projection. */
const HISTORY_COUNT = 256;

/**
 * A projection that is started in a log with users' events begins to link after this delay. EventStoreDB takes about
 * as long, and applications rely on it: a group that starts at the end of a link stream and is created right after
 * the switch receives the links of earlier events. Milliseconds.
 */
const WARM_UP_MS = 1_000;

/**
 * The system projections: streams of links, updated in the transaction of each append. A projection that is started
 * later first links the history in transactions of the writer, and is live once it reaches the end.
 */
export class Projections {
  #states: States;
  readonly #switches: Switch[] = [];
  readonly #warmingUp = new Set<ProjectionName>();

  /** `isRunning`: whether to write links at all. `wake`: called when new work is due. */
  constructor(
    engine: Engine,
    private readonly reader: LogReader,
    readonly isRunning: boolean,
    private readonly wake: () => void,
  ) {
    this.#states = mapStates((name) => load(engine, name));
  }

  stateOf(name: ProjectionName): ProjectionState {
    return this.#states[name];
  }

  /** Whether work is due without an append. */
  get hasWork(): boolean {
    const stops = !this.isRunning && PROJECTIONS.some((name) => this.#states[name].live);
    const lags = this.isRunning && PROJECTIONS.some((name) => this.#isBehind(name, this.#states[name]));
    return stops || lags || this.hasSwitches;
  }

  /** Whether a caller waits for a switch. */
  get hasSwitches(): boolean {
    return this.#switches.length > 0;
  }

  /** Switches a projection with the next transaction, and reports when that is on disk. */
  switch(wish: Switch): void {
    this.#switches.push(wish);
  }

  /** Starts each transaction, before anything else is drafted. */
  advance(draft: Draft): ProjectionStep {
    const end = draft.next;
    const switches = this.#switches.splice(0);
    let states = this.#states;
    for (const { name, mode } of switches) {
      const before = states[name];
      states = { ...states, [name]: switched(before, mode, end) };
      if (mode === 'running' && before.mode !== 'running') this.#warmUp(name, states[name]);
    }
    states = mapStates((name) => this.#advanced(name, states[name], draft, end));
    const live = PROJECTIONS.filter((name) => states[name].live);
    return {
      links: (event) => live.flatMap((name) => RULES[name](event)),
      puts: PROJECTIONS.filter((name) => states[name] !== this.#states[name]).map((name) =>
        put(name, states[name]),
      ),
      committed: () => {
        this.#states = states;
        for (const { done } of switches) done();
      },
      failed: (fault) => {
        for (const { failed } of switches) failed(fault);
      },
    };
  }

  #advanced(name: ProjectionName, state: ProjectionState, draft: Draft, end: number): ProjectionState {
    if (!this.isRunning) return state.live ? { ...state, live: false, position: end } : state;
    if (!this.#isBehind(name, state)) return state;
    const page = this.#historyFrom(state.position);
    for (const event of page) draft.link(RULES[name], event);
    const last = page.at(-1);
    const position = last ? last.position + last.record.length : end;
    return { ...state, position, live: position >= end };
  }

  #isBehind(name: ProjectionName, { mode, live }: ProjectionState): boolean {
    return mode === 'running' && !live && !this.#warmingUp.has(name);
  }

  #historyFrom(position: number): readonly StoredEvent[] {
    return this.reader.readAll({ from: position, backwards: false, limit: HISTORY_COUNT });
  }

  /** Without users' events no delay is necessary: the projection is live at once. */
  #warmUp(name: ProjectionName, { position }: ProjectionState): void {
    if (!this.#historyFrom(position).some(({ stream }) => !stream.startsWith('$'))) return;
    this.#warmingUp.add(name);
    const begin = (): void => {
      this.#warmingUp.delete(name);
      this.wake();
    };
    setTimeout(begin, WARM_UP_MS).unref();
  }
}

const switched = (state: ProjectionState, mode: ProjectionMode, end: number): ProjectionState => {
  if (state.mode === mode) return state;
  return { mode, live: false, position: state.live ? end : state.position };
};

const mapStates = (state: (name: ProjectionName) => ProjectionState): States => ({
  $by_category: state('$by_category'),
  $by_event_type: state('$by_event_type'),
  $by_correlation_id: state('$by_correlation_id'),
  $stream_by_category: state('$stream_by_category'),
  $streams: state('$streams'),
});

const load = (engine: Engine, name: ProjectionName): ProjectionState => {
  const bytes = engine.get('projections', Buffer.from(name));
  if (!bytes) return { mode: 'stopped', live: false, position: 0 };
  const stored: Json = JSON.parse(bytes.toString('utf8'));
  invariant(
    isJsonObject(stored) && typeof stored.position === 'number',
    `the stored state of the projection ${name} is malformed`,
  );
  const stopped = stored.aborted === true ? 'aborted' : 'stopped';
  const mode = stored.enabled === true ? 'running' : stopped;
  return { mode, live: stored.live === true, position: stored.position };
};

const put = (name: ProjectionName, { mode, live, position }: ProjectionState): Put => ({
  table: 'projections',
  key: Buffer.from(name),
  value: Buffer.from(
    JSON.stringify({ enabled: mode === 'running', aborted: mode === 'aborted', live, position }),
  ),
});
