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

/** Guarantee: a session read from its newest cut on is the session that its whole stream gives, at every revision. */
describe('a session read back', () => {
  it('is the fold of its whole stream as of every revision', () =>
    everyHistory(({ stream, states }) => {
      // What a log gives back has been written as JSON before.
      const stored = stream.map(
        ({ event, revision }): Placed => ({ event: JSON.parse(JSON.stringify(event)), revision }),
      );
      for (const at of stored.keys()) {
        const rebuilt = rebuild(tailOf(stored.slice(0, at + 1)));
        if (!isDeepStrictEqual(rebuilt, states[at])) expect(rebuilt).toStrictEqual(states[at]);
      }
    }, 150));

  it('is the fold of its whole stream when it goes on from there', () =>
    everyHistory(({ stream, states }) => {
      const middle = Math.floor(stream.length / 2);
      const rest = stream.slice(middle);
      // What a revert brings back is in the log alone: a reader who meets one reads anew.
      const reread = rest.findLastIndex(({ event }) => event.type === 'CompactionReverted') + 1;
      const start = rebuild(tailOf(stream.slice(0, middle + reread)));
      const resumed = rest.slice(reread).reduce(evolve, start);
      expect(canonicalJson(resumed)).toBe(canonicalJson(states.at(-1)));
    }));

  // Holds rule 8.7.
  it('is composed to the same bytes as when it was folded from zero', () =>
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

  /** The tail is all that a reader has: what it leaves out cannot have been used. */
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
