import {
  compose,
  estimatedTokens,
  fold,
  initialState,
  manifestOf,
  type OpenSession,
  rebuild,
  type SessionCommand,
  WIRE_FORMATS,
  type WireFormat,
} from '@app/domain';
import { CompactionId, Tokens } from '@app/kernel';
import { append, assistant, open, SESSION, sessionOf, system, tailOf, user } from '@app/testing';
import { forkOf, opened } from './support/forking.js';
import { everyHistory, sessionsOf } from './support/histories.js';

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
