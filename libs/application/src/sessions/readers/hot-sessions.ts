import type { Entry, SessionState } from '@app/domain';
import { BoundedMap, type StreamName } from '@app/kernel';
import type { Loaded } from '../decisions.js';

/** Maximum tokens of all cached sessions: about 60 MB of text, or 60 sessions of the largest usual window. */
const WEIGHT_MAX = 12_000_000;
/** Weight of a session and of each message besides their text, in tokens. */
const SESSION_WEIGHT = 1_000;
const MESSAGE_WEIGHT = 250;

/** Returns a cache of sessions, bounded by weight. */
export const hotSessions = (weightMax = WEIGHT_MAX): BoundedMap<StreamName, Loaded> =>
  new BoundedMap(weightMax, ({ state }) => weightOf(state));

const weightOf = (state: SessionState): number =>
  SESSION_WEIGHT + (state.status === 'open' ? sumOf(state.leadingSystem) + sumOf(state.entries) : 0);

/** Sums original sizes, since dropped content remains in memory. */
const sumOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { tokens }) => sum + tokens + MESSAGE_WEIGHT, 0);
