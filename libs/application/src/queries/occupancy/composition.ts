import { isJsonObject, type Json, type JsonObject, ownMember, Revision } from '@app/kernel';
import type { Milestone } from '@app/ports';

/** The parts of a session's context other than its messages, in counted tokens, from one event on. */
export type Composition = {
  readonly revision: Revision;
  /** System prompt and tools. */
  readonly system: number;
  readonly pinned: number;
  readonly summary: number;
  /** Billed tokens for each counted token, by the newest event that states both; 1 before the first. */
  readonly billedPerCounted: number;
  /** Tokens; 0 is unlimited. */
  readonly window: number;
};

/** Event types that change a {@link Composition}. */
export const COMPOSITION_TYPES = [
  'SessionOpened',
  'SettingsChanged',
  'ModelSwitched',
  'RequestPartsChanged',
  'ContentPinned',
  'ContentUnpinned',
  'CompactionCompleted',
  'CompactionReverted',
  'ContentErased',
  'SessionReset',
  'SessionForked',
] as const;

type State = Composition & {
  readonly pins: ReadonlyMap<string, number>;
  /** Summary sizes by compaction, for reverts. */
  readonly summaries: ReadonlyMap<string, number>;
};

/** Returns the compositions of a session from its milestones, oldest first. */
export const compositionsOf = (milestones: readonly Milestone[]): readonly Composition[] => {
  let state: State = {
    revision: milestones[0]?.revision ?? Revision(0),
    system: 0,
    pinned: 0,
    summary: 0,
    billedPerCounted: ratioIn(milestones.find(({ payload }) => ratioOf(payload) !== undefined)?.payload),
    window: 0,
    pins: new Map(),
    summaries: new Map(),
  };
  const found: Composition[] = [];
  for (const milestone of milestones) {
    const change = changeBy(milestone, state);
    if (!change) continue;
    state = { ...state, ...change, revision: milestone.revision };
    const { revision, system, pinned, summary, billedPerCounted, window } = state;
    found.push({ revision, system, pinned, summary, billedPerCounted, window });
  }
  return found;
};

const changeBy = (milestone: Milestone, state: State): Partial<State> | undefined => {
  const { type, payload, compactionId } = milestone;
  switch (type) {
    case 'SessionOpened':
      return { system: numberIn(payload.fixedTokens) ?? 0, window: numberIn(payload.window) ?? 0 };
    case 'SettingsChanged':
    case 'ModelSwitched':
      return { window: numberIn(payload.window) ?? state.window };
    case 'RequestPartsChanged': {
      const system = numberIn(payload.fixedTokens);
      return system === undefined ? undefined : { system };
    }
    case 'ContentPinned':
      return withPins(new Map(state.pins).set(String(payload.pinId), numberIn(payload.tokens) ?? 0));
    case 'ContentUnpinned': {
      const pins = new Map(state.pins);
      pins.delete(String(payload.pinId));
      return withPins(pins);
    }
    case 'CompactionCompleted':
    case 'SessionForked': {
      const summary = numberIn(payload.summaryTokens) ?? 0;
      const summaries = new Map(state.summaries).set(compactionId ?? '', summary);
      return { summary, summaries, billedPerCounted: ratioIn(payload, state.billedPerCounted) };
    }
    case 'SessionReset':
      return { summary: 0, billedPerCounted: ratioIn(payload, state.billedPerCounted) };
    case 'CompactionReverted':
    case 'ContentErased': {
      const restored = typeof payload.restored === 'string' ? payload.restored : '';
      return { summary: state.summaries.get(restored) ?? 0 };
    }
    default:
      return undefined;
  }
};

const withPins = (pins: ReadonlyMap<string, number>): Partial<State> => ({
  pins,
  pinned: [...pins.values()].reduce((sum, tokens) => sum + tokens, 0),
});

const ratioOf = (payload: JsonObject): number | undefined => {
  const counted = numberIn(payload.countedAfter);
  const billed = numberIn(payload.billedAfter);
  return counted && billed ? billed / counted : undefined;
};
const ratioIn = (payload: JsonObject | undefined, known = 1): number =>
  (payload && ratioOf(payload)) ?? known;

/** Returns a number; `undefined` for any other value. */
export const numberIn = (value: Json | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;
/** Returns a member of a member; `undefined` if there is none. */
export const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  value !== undefined && isJsonObject(value) ? ownMember(value, name) : undefined;
