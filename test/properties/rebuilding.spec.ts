import { isDeepStrictEqual } from 'node:util';
import {
  compose,
  evolve,
  initialState,
  manifestOf,
  type Placed,
  pivotFactsOf,
  rebuild,
  WIRE_FORMATS,
} from '@app/domain';
import { canonicalJson } from '@app/kernel';
import { tailOf } from '@app/testing';
import { everyHistory, sessionsOf } from './support/histories.js';

/** Guarantee: a session restored from its newest cut equals the fold of its whole stream, at every revision. */
describe('restored session', () => {
  it('equals the fold of its whole stream as of every revision', () =>
    everyHistory(({ stream, states }) => {
      // Events pass through JSON in a log.
      const stored = stream.map(
        ({ event, revision }): Placed => ({ event: JSON.parse(JSON.stringify(event)), revision }),
      );
      for (const at of stored.keys()) {
        const rebuilt = rebuild(tailOf(stored.slice(0, at + 1)));
        if (!isDeepStrictEqual(rebuilt, states[at])) expect(rebuilt).toStrictEqual(states[at]);
      }
    }, 150));

  it('equals the fold of its whole stream when it continues from there', () =>
    everyHistory(({ stream, states }) => {
      const middle = Math.floor(stream.length / 2);
      const rest = stream.slice(middle);
      // A revert needs earlier events: a reader that meets one restores again.
      const reread = rest.findLastIndex(({ event }) => event.type === 'CompactionReverted') + 1;
      const start = rebuild(tailOf(stream.slice(0, middle + reread)));
      const resumed = rest.slice(reread).reduce(evolve, start);
      expect(canonicalJson(resumed)).toBe(canonicalJson(states.at(-1)));
    }));

  // Holds rule 8.7.
  it('is composed to the same bytes as after a fold from zero', () =>
    everyHistory(({ stream, states }) => {
      const folded = states.at(-1) ?? initialState;
      const rebuilt = rebuild(tailOf(stream));
      if (folded.status !== 'open' || rebuilt.status !== 'open')
        throw new Error('a history opens its session');
      for (const format of WIRE_FORMATS) {
        expect(JSON.stringify(compose(manifestOf(rebuilt), format))).toBe(
          JSON.stringify(compose(manifestOf(folded), format)),
        );
      }
    }));

  // Holds rule 8.7.
  it('is composed to the same bytes twice', () =>
    everyHistory((history) => {
      for (const session of sessionsOf(history)) {
        const bytes = () => JSON.stringify(compose(manifestOf(session), 'anthropic'));
        expect(bytes()).toBe(bytes());
      }
    }, 100));

  /** Only the tail is available: earlier events cannot have been used. */
  // Holds rule 8.10.
  it('needs nothing from before its cut', () =>
    everyHistory(({ stream }) => {
      const { pivot, after } = tailOf(stream);
      const first = pivot?.before[0]?.revision ?? after[0]?.revision;
      const cut = pivot && (pivotFactsOf(pivot.event).cut?.revision ?? pivot.revision + 1);
      if (first !== undefined) expect(first).toBeGreaterThanOrEqual(cut ?? 0);
      expect((pivot?.before.length ?? 0) + after.length).toBeLessThanOrEqual(stream.length - (first ?? 0));
    }, 100));
});
