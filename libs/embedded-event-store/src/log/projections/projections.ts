import { invariant, isJsonObject, type Json } from '@app/kernel';
import type { Engine, Put } from '../../storage/engine.js';
import type { Draft } from '../appending/draft.js';
import type { LogReader } from '../log-reader.js';
import {
  byCategory,
  byCorrelationId,
  byEventType,
  type LinksOf,
  streamByCategory,
  streams,
} from './links-of.js';

const RULES = {
  $by_category: byCategory,
  $by_event_type: byEventType,
  $by_correlation_id: byCorrelationId,
  $stream_by_category: streamByCategory,
  $streams: streams,
} as const satisfies Readonly<Record<string, LinksOf>>;
export type ProjectionName = keyof typeof RULES;

export const PROJECTIONS = Object.keys(RULES).filter((name): name is ProjectionName => name in RULES);
export const isProjection = (name: string): name is ProjectionName => Object.hasOwn(RULES, name);

export type ProjectionState = {
  readonly enabled: boolean;
  /** Has linked all there is, so that its links are written together with the events that they point at. */
  readonly live: boolean;
  /** Has linked everything before this position. Of no meaning where it is live. */
  readonly position: number;
};
type States = Readonly<Record<ProjectionName, ProjectionState>>;

/** What a transaction has to write of the projections, and what is to be believed once it is on disk. */
export type ProjectionStep = {
  readonly links: LinksOf;
  readonly puts: readonly Put[];
  readonly committed: () => void;
  readonly failed: (fault: unknown) => void;
};
type Switch = {
  readonly name: ProjectionName;
  readonly enabled: boolean;
  readonly done: () => void;
  readonly failed: (fault: unknown) => void;
};

/** Events of history that one transaction links for each projection that is behind. */
const HISTORY_COUNT = 256;

/**
 * The system projections: streams of links, which the store keeps up to date in the very transaction of an append.
 * One that was switched on later first links the history, in the transactions of the writer, until it has come to
 * the end: then it is live.
 */
export class Projections {
  #states: States;
  readonly #switches: Switch[] = [];

  /** `isRunning`: whether links are to be written at all. */
  constructor(
    engine: Engine,
    private readonly reader: LogReader,
    readonly isRunning: boolean,
  ) {
    this.#states = mapStates((name) => load(engine, name));
  }

  stateOf(name: ProjectionName): ProjectionState {
    return this.#states[name];
  }

  /** Whether there is something to do even where nothing is appended. */
  get hasWork(): boolean {
    const stops = !this.isRunning && PROJECTIONS.some((name) => this.#states[name].live);
    const lags = this.isRunning && PROJECTIONS.some((name) => isBehind(this.#states[name]));
    return stops || lags || this.hasSwitches;
  }

  /** Whether somebody waits for a projection to be switched. */
  get hasSwitches(): boolean {
    return this.#switches.length > 0;
  }

  /** Switches a projection on or off with the next transaction, and tells when that is on disk. */
  switch(wish: Switch): void {
    this.#switches.push(wish);
  }

  /** Called at the start of each transaction, before anything else is drafted. */
  advance(draft: Draft): ProjectionStep {
    const end = draft.next;
    const switches = this.#switches.splice(0);
    let states = this.#states;
    for (const { name, enabled } of switches)
      states = { ...states, [name]: switched(states[name], enabled, end) };
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
    if (!isBehind(state)) return state;
    const page = this.reader.readAll({ from: state.position, backwards: false, limit: HISTORY_COUNT });
    for (const event of page) draft.link(RULES[name], event);
    const last = page.at(-1);
    const position = last ? last.position + last.record.length : end;
    return { ...state, position, live: position >= end };
  }
}

const isBehind = ({ enabled, live }: ProjectionState): boolean => enabled && !live;

const switched = (state: ProjectionState, enabled: boolean, end: number): ProjectionState => {
  if (state.enabled === enabled) return state;
  return { enabled, live: false, position: state.live ? end : state.position };
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
  if (!bytes) return { enabled: false, live: false, position: 0 };
  const stored: Json = JSON.parse(bytes.toString('utf8'));
  invariant(
    isJsonObject(stored) && typeof stored.position === 'number',
    `what is stored of ${name} is malformed`,
  );
  return { enabled: stored.enabled === true, live: stored.live === true, position: stored.position };
};

const put = (name: ProjectionName, state: ProjectionState): Put => ({
  table: 'projections',
  key: Buffer.from(name),
  value: Buffer.from(JSON.stringify(state)),
});
