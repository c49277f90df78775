import { isDeepStrictEqual } from 'node:util';
import {
  compose,
  estimatedTokens,
  evolve,
  fold,
  initialState,
  manifestOf,
  type OpenSession,
  type Placed,
  pivotFactsOf,
  rebuild,
  type SessionCommand,
  WIRE_FORMATS,
  type WireFormat,
} from '@app/domain';
import { CompactionId, canonicalJson, Tokens } from '@app/kernel';
import { append, assistant, open, SESSION, sessionOf, system, tailOf, user } from '@app/testing';
import { forkOf, opened } from './support/forking.js';
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

it('a system message after a reset is not an initial one in a fork either', () => {
  const reset: SessionCommand = {
    type: 'ResetSession',
    data: { sessionId: SESSION, compactionId: CompactionId('r1'), reason: 'a test', confirm: true },
  };
  const source = sessionOf(
    open(),
    append(user('u1', 'hello'), assistant('a1', 'yes')),
    reset,
    append(system('s1', 'mind this')),
  );
  const fork = opened(rebuild(tailOf(forkOf(source))));
  expect(fork.leadingSystem).toEqual([]);
  expect(opened(fold(initialState, forkOf(source)))).toEqual(fork);
  expect(compose(manifestOf(fork), 'anthropic').request).toEqual(
    compose(manifestOf(source), 'anthropic').request,
  );
});

/** Guarantee: a fork continues with the content of its source. */
describe('fork', () => {
  // Holds rule 2.20.
  it('has exactly the context of its source, byte for byte, and its size', () =>
    everyHistory((history) => {
      for (const source of sessionsOf(history)) {
        const fork = opened(rebuild(tailOf(forkOf(source))));
        for (const format of WIRE_FORMATS) {
          const { pivot } = fork;
          // The record of a fork without a compaction has no compaction id: only then do the ids differ.
          if (pivot && source.pivot) expect(pivot.compactionId).toBe(source.pivot.compactionId);
          expect(contentOf(fork, format)).toBe(contentOf(source, format));
        }
        expect(estimatedTokens(fork)).toBe(estimatedTokens(source));
      }
    }, 60));

  it('is restored as it was folded', () =>
    everyHistory((history) => {
      for (const source of sessionsOf(history)) {
        const stream = forkOf(source);
        expect(rebuild(tailOf(stream))).toEqual(fold(initialState, stream));
      }
    }, 60));
});

/**
 * Returns the content of a session's next request without the output limit: that depends on bills, which a fork does
 * not inherit.
 */
const contentOf = (session: OpenSession, format: WireFormat): string => {
  const manifest = { ...manifestOf(session), maxOutput: Tokens(1) };
  return JSON.stringify(compose(manifest, format).request);
};
