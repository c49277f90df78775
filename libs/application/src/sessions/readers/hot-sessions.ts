import type { Entry, SessionState } from '@app/domain';
import type { StreamName } from '@app/kernel';
import type { Loaded } from '../decisions/decide-all.js';

/** Of all sessions at hand together, in tokens: some 60 MB of text, or 60 sessions of the largest usual window. */
const WEIGHT_MAX = 12_000_000;
/** What a session takes at least, and each of its messages beside its text, in tokens. */
const SESSION_WEIGHT = 1_000;
const MESSAGE_WEIGHT = 250;

/** Sessions kept at hand, those used last: as many as fit, however many that is. */
export class HotSessions {
  private readonly sessions = new Map<StreamName, { readonly loaded: Loaded; readonly weight: number }>();
  private weight = 0;

  constructor(private readonly weightMax = WEIGHT_MAX) {}

  get(stream: StreamName): Loaded | undefined {
    return this.sessions.get(stream)?.loaded;
  }

  /** The newest one stays, whatever it weighs. */
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

  forget(stream: StreamName): void {
    this.weight -= this.sessions.get(stream)?.weight ?? 0;
    this.sessions.delete(stream);
  }
}

const weightOf = (state: SessionState): number =>
  SESSION_WEIGHT + (state.status === 'open' ? sumOf(state.leadingSystem) + sumOf(state.entries) : 0);

/** What is marked as dropped is held all the same. */
const sumOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { tokens }) => sum + tokens + MESSAGE_WEIGHT, 0);
