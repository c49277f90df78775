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

/** What the milestones before one told: tokens by pin, and by compaction for reverts. Changed in place, as it grows with them. */
type Known = { readonly pins: Map<string, number>; readonly summaries: Map<string, number> };

/** Returns the compositions of a session from its milestones, oldest first. */
export const compositionsOf = (milestones: readonly Milestone[]): readonly Composition[] => {
  const known: Known = { pins: new Map(), summaries: new Map() };
  let last: Composition = {
    revision: milestones[0]?.revision ?? Revision(0),
    system: 0,
    pinned: 0,
    summary: 0,
    billedPerCounted: ratioIn(milestones.find(({ payload }) => ratioOf(payload) !== undefined)?.payload),
    window: 0,
  };
  const found: Composition[] = [];
  for (const milestone of milestones) {
    const change = changeBy(milestone, last, known);
    if (!change) continue;
    last = { ...last, ...change, revision: milestone.revision };
    found.push(last);
  }
  return found;
};

const changeBy = (
  { type, payload, compactionId }: Milestone,
  last: Composition,
  { pins, summaries }: Known,
): Partial<Composition> | undefined => {
  switch (type) {
    case 'SessionOpened':
      return { system: numberIn(payload.fixedTokens) ?? 0, window: numberIn(payload.window) ?? 0 };
    case 'SettingsChanged':
    case 'ModelSwitched':
      return { window: numberIn(payload.window) ?? last.window };
    case 'RequestPartsChanged': {
      const system = numberIn(payload.fixedTokens);
      return system === undefined ? undefined : { system };
    }
    case 'ContentPinned':
    case 'ContentUnpinned': {
      const pin = String(payload.pinId);
      const before = pins.get(pin) ?? 0;
      const tokens = type === 'ContentPinned' ? (numberIn(payload.tokens) ?? 0) : 0;
      pins.set(pin, tokens);
      return { pinned: last.pinned - before + tokens };
    }
    case 'CompactionCompleted':
    case 'SessionForked': {
      const summary = numberIn(payload.summaryTokens) ?? 0;
      summaries.set(compactionId ?? '', summary);
      return { summary, billedPerCounted: ratioIn(payload, last.billedPerCounted) };
    }
    case 'SessionReset':
      return { summary: 0, billedPerCounted: ratioIn(payload, last.billedPerCounted) };
    case 'CompactionReverted':
    case 'ContentErased': {
      const restored = typeof payload.restored === 'string' ? payload.restored : '';
      return { summary: summaries.get(restored) ?? 0 };
    }
    default:
      return undefined;
  }
};

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
