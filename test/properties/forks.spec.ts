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

it('a system message that came after a reset is none of the head in a fork either', () => {
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

/** Guarantee: whoever goes on in a fork sees what he would have seen in its source. */
describe('a fork', () => {
  // Holds rule 2.20.
  it('has the very context of its source, byte for byte, and its size', () =>
    everyHistory((history) => {
      for (const source of sessionsOf(history)) {
        const fork = opened(rebuild(tailOf(forkOf(source))));
        for (const format of WIRE_FORMATS) {
          const { pivot } = fork;
          // The record of a fork without a compaction names nothing: only then do the ids differ.
          if (pivot && source.pivot) expect(pivot.compactionId).toBe(source.pivot.compactionId);
          expect(contentOf(fork, format)).toBe(contentOf(source, format));
        }
        expect(estimatedTokens(fork)).toBe(estimatedTokens(source));
      }
    }, 60));

  it('is read back as it was folded', () =>
    everyHistory((history) => {
      for (const source of sessionsOf(history)) {
        const stream = forkOf(source);
        expect(rebuild(tailOf(stream))).toEqual(fold(initialState, stream));
      }
    }, 60));
});

/** What a session's next request holds. The room for its answer is told by bills, and those of its source are no fork's. */
const contentOf = (session: OpenSession, format: WireFormat): string => {
  const manifest = { ...manifestOf(session), maxOutput: Tokens(1) };
  return JSON.stringify(compose(manifest, format).request);
};
