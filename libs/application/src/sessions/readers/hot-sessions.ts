import type { Entry, SessionState } from '@app/domain';
import type { StreamName } from '@app/kernel';
import type { Loaded } from '../decisions.js';

/** Maximum tokens of all cached sessions: about 60 MB of text, or 60 sessions of the largest usual window. */
const WEIGHT_MAX = 12_000_000;
/** Weight of a session and of each message besides their text, in tokens. */
const SESSION_WEIGHT = 1_000;
const MESSAGE_WEIGHT = 250;

/** LRU cache of sessions, bounded by weight. */
export class HotSessions {
  private readonly sessions = new Map<StreamName, { readonly loaded: Loaded; readonly weight: number }>();
  private weight = 0;

  constructor(private readonly weightMax = WEIGHT_MAX) {}

  get(stream: StreamName): Loaded | undefined {
    return this.sessions.get(stream)?.loaded;
  }

  /** Caches a session; the newest one is kept at any weight. */
  keep(stream: StreamName, loaded: Loaded): void {
    this.forget(stream);
    const weight = weightOf(loaded.state);
    this.sessions.set(stream, { loaded, weight });
    this.weight += weight;
    for (const oldest of this.sessions.keys()) {
      if (this.weight <= this.weightMax || this.sessions.size === 1) return;
      this.forget(oldest);
    }
  }

  clear(): void {
    this.sessions.clear();
    this.weight = 0;
  }

  forget(stream: StreamName): void {
    this.weight -= this.sessions.get(stream)?.weight ?? 0;
    this.sessions.delete(stream);
  }
}

const weightOf = (state: SessionState): number =>
  SESSION_WEIGHT + (state.status === 'open' ? sumOf(state.leadingSystem) + sumOf(state.entries) : 0);

/** Sums original sizes, since dropped content remains in memory. */
const sumOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { tokens }) => sum + tokens + MESSAGE_WEIGHT, 0);
