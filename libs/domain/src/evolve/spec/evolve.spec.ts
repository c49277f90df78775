import { evolve, initialState, type Placed, rebuild, type SessionEvent } from '@app/domain';
import { InvariantViolation, Revision } from '@app/kernel';
import {
  append,
  compactable,
  complete,
  eventsOf,
  open,
  request,
  run,
  start,
  tailOf,
  user,
} from '@app/testing';

const fold = (events: readonly SessionEvent[]) =>
  events.reduce((state, event, at) => evolve(state, { event, revision: Revision(at) }), initialState);

describe('folding a stream', () => {
  it('returns the recorded session for any message content', () => {
    const state = fold(eventsOf(open(), append(user('u1', 'go'), user('u2'))));
    expect(state).toMatchObject({
      status: 'open',
      messages: 2,
      turn: 1,
      entries: [
        { position: 0, turn: 1 },
        { position: 1, turn: 1 },
      ],
    });
  });

  it('throws on a contradictory history', () => {
    const [, , ...orphans] = eventsOf(...compactable(), request(), start());
    expect(() => fold(orphans)).toThrow(InvariantViolation);
    const [opened, , ...rest] = eventsOf(...compactable(), request(), start(), complete());
    const withoutItsCut = rest.filter(
      (event) => event.type !== 'MessageAppended' || event.data.message.id !== 'u5',
    );
    expect(() => fold([opened, ...withoutItsCut].flatMap((event) => event ?? []))).toThrow(
      InvariantViolation,
    );
    const unrequested = eventsOf(...compactable(), request(), start()).filter(
      ({ type }) => type !== 'CompactionRequested',
    );
    expect(() => fold(unrequested)).toThrow(InvariantViolation);
  });
});

describe('rebuilding the context from a pivot', () => {
  const { stream, states } = run([
    ...compactable(),
    request(),
    start(),
    complete(),
    append(user('u6', 'on')),
  ]);

  it('equals the fold without a compaction, and is empty for an empty stream', () => {
    expect(rebuild({ pivot: undefined, after: [] })).toBe(initialState);
    expect(rebuild(tailOf(stream.slice(0, 5)))).toStrictEqual(states[4]);
  });

  it('uses the opening state and the messages from the cut on', () => {
    const tail = tailOf(stream);
    expect(tail.pivot?.before.filter(({ event }) => event.type === 'MessageAppended')).toHaveLength(2);
    expect(rebuild(tail)).toStrictEqual(states.at(-1));
  });

  it('throws if nothing is retained, because no such record is ever written', () => {
    const { pivot, after } = tailOf(stream);
    const nothing: Placed[] = [];
    expect(() => rebuild({ pivot: pivot && { ...pivot, before: nothing }, after })).toThrow(
      InvariantViolation,
    );
  });
});
