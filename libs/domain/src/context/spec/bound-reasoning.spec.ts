import {
  compose,
  descend,
  evolve,
  fold,
  frameContribution,
  initialState,
  manifestOf,
  type OpenSession,
  occupancy,
  type SessionCommand,
  shortenManifest,
  withoutReverted,
} from '@app/domain';
import { PinId, Tokens } from '@app/kernel';
import {
  append,
  assistant,
  call,
  compactable,
  complete,
  composeRequest,
  downTo,
  eventsOf,
  open,
  openOf,
  request,
  result,
  run,
  SESSION,
  sessionOf,
  sized,
  start,
  thinking,
  user,
} from '@app/testing';

const carryingCount = (tokens: number) =>
  composeRequest({
    contributions: [{ name: 'todo', tokens: Tokens(tokens) }],
    digest: String(tokens).padStart(64, 'c'),
  });
const text = frameContribution({ name: 'todo', text: 'call back' });
const sent = (session: OpenSession) => compose(manifestOf(session, [text]), 'anthropic');

/** Guarantee: reasoning leaves only behind the very request that it was written after, for models that bind it. */
describe.each([
  ['claude-opus-5-5', 0],
  ['claude-opus-4-6', 1],
])('reasoning of %s', (model, kept) => {
  const thought = (id: string) => assistant(id, thinking('hm', `signature of ${id}`), 'so');
  const asked = [open({ model }), append(user('u1', 'go'))];
  const signatures = (session: OpenSession) =>
    JSON.stringify(sent(session).request).match(/signature of \w+/g) ?? [];

  it('before a contribution stays, because the contribution follows it', () =>
    expect(
      signatures(sessionOf(...asked, append(thought('a1'), user('u2', 'on')), carryingCount(9))),
    ).toHaveLength(1));

  it('after a contribution depends on content that is never sent again', () => {
    const session = sessionOf(
      ...asked,
      carryingCount(9),
      append(thought('a1'), user('u2', 'on')),
      composeRequest(),
    );
    expect(signatures(session)).toHaveLength(kept);
    const later = sessionOf(
      ...[...asked, carryingCount(9), append(thought('a1'), user('u2', 'on')), composeRequest()],
      append(thought('a2'), user('u3', 'on')),
    );
    expect(signatures(later)).toContain('signature of a2');
  });

  it('after a pin is omitted once the pin is removed', () => {
    const pin = { pinId: PinId('p1'), kind: 'constraint' as const, text: 'no', tokens: Tokens(5) };
    const session = sessionOf(
      ...asked,
      { type: 'PinContent', data: { sessionId: SESSION, pin } },
      append(thought('a1'), user('u2', 'on')),
      { type: 'UnpinContent', data: { sessionId: SESSION, pinId: pin.pinId } },
    );
    expect(signatures(session)).toHaveLength(kept);
  });

  it('is omitted on the ladder, together with later reasoning', () => {
    const steps = append(
      ...[thought('a1'), user('u2', 'on'), assistant('a2', call('c1'))],
      ...[user('r2', result('c1', 'x'.repeat(2_000))), assistant('a3', 'so'), user('u3', 'on')],
    );
    const session = sessionOf(...asked, steps);
    const shortening = descend(session, downTo(300));
    if (!shortening) throw new Error('there is an output');
    const { request, notes } = compose(
      shortenManifest(manifestOf(session), shortening, Tokens(100)),
      'anthropic',
    );
    expect(JSON.stringify(request).match(/signature of a1/g) ?? []).toHaveLength(kept);
    expect(notes).toHaveLength(1 - kept);
    const onLadder = { ...session, request: { ...session.request, rung: 'mask-outputs' as const } };
    const answered = append(thought('a4'), user('u4', 'on'));
    const after = eventsOf(...asked, steps, answered)
      .slice(-2)
      .reduce(
        (state, event, at) => evolve(state, { event, revision: session.entries[at]?.revision ?? never() }),
        onLadder as Parameters<typeof evolve>[0],
      );
    if (after.status !== 'open') throw new Error('it is open');
    expect(after.unreplayableReasoning).toEqual(['a4']);
  });

  it('is omitted if earlier groups are omitted', () => {
    const talk = append(sized('a1', 'assistant', 200), user('u2', 'on'), thought('a2'), user('u3', 'on'));
    const session = sessionOf(...asked, talk);
    const shortening = descend(session, downTo(occupancy(session) - 20));
    if (!shortening) throw new Error('there are groups');
    expect(shortening).toMatchObject({ rung: 'drop-groups', masked: [] });
    const { request } = compose(shortenManifest(manifestOf(session), shortening, Tokens(100)), 'anthropic');
    expect(JSON.stringify(request).match(/signature of a2/g) ?? []).toHaveLength(kept);
  });

  it('after a reverted compaction depends on content that is never sent again', () => {
    const begun = run([...compactable({ model }), request(), start(), complete(), append(thought('a6'))]);
    const { pivot } = openOf(begun);
    if (!pivot) throw new Error('it was compacted');
    const { compactionId } = pivot;
    const without = fold(initialState, withoutReverted(begun.stream, new Set([compactionId])));
    const revert: SessionCommand = {
      type: 'RevertCompaction',
      data: { sessionId: SESSION, compactionId, reason: 'x', without },
    };
    expect(signatures(openOf(run([revert], begun)))).toHaveLength(kept);
  });
});

const never = (): never => {
  throw new Error('there are entries');
};
