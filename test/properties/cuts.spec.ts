import { atomicGroups, type Message, type OpenSession, type Plan, pairToolCalls, prepare } from '@app/domain';
import { play, scripts } from '@app/testing';
import fc from 'fast-check';
import { runsOf, sessionsOf } from './support/histories.js';

type Planned = { readonly session: OpenSession; readonly plan: Plan; readonly at: number };

/** Holds a property against every summary that would be planned in many histories, for tails of any size. */
const everyTail = (holds: (planned: Planned & { readonly keep: number }) => void): void =>
  fc.assert(
    fc.property(scripts(), fc.integer({ min: 0, max: 2_500 }), (script, keep) => {
      const planned = sessionsOf(play(script)).flatMap((session) => plannedIn(session, keep));
      fc.pre(planned.length > 0); // A skipped history is counted: too many of them fail the test.
      for (const one of planned) holds({ ...one, keep });
    }),
    runsOf(80),
  );

const plannedIn = (session: OpenSession, keepRecentTokens: number): Planned[] => {
  const policy = { keepBy: 'tokens', keepRecentTokens, stages: ['summarize'] } as const;
  const plan = prepare(session, { ...session.profile, ...policy });
  if (plan.kind === 'none') return [];
  if (session.marks.collapsed.length > 0) return []; // Whole turns, which stand for less than their messages.
  const at = session.entries.findIndex(({ message }) => message.id === plan.cut.messageId);
  return [{ session, plan, at }];
};

const messagesOf = ({ entries }: OpenSession): Message[] => entries.map(({ message }) => message);
const pairingOf = (session: OpenSession) =>
  pairToolCalls(messagesOf(session), ({ id }, callId) =>
    session.abandonedCalls.some((call) => call.messageId === id && call.callId === callId),
  );
/** Tokens from a place on; what a dropped output has freed counts where the output stands. */
const tokensFrom = (session: OpenSession, at: number): number => {
  const { entries, droppedOutputs, marks } = session;
  const known = new Set<string>();
  const ofResults = pairingOf(session).calls.flatMap(({ id, call, result }) => {
    const caller = entries[call.message]?.message.id;
    if (known.has(`${caller} ${id}`)) return []; // A mark of one under an id that is there twice.
    known.add(`${caller} ${id}`);
    const marked = [...droppedOutputs, ...marks.offloaded].filter(
      (one) => one.messageId === caller && one.callId === id,
    );
    return result && result.message >= at ? marked.map((one) => one.freed) : [];
  });
  const ids = new Set(entries.slice(at).map(({ message }) => message.id));
  const ofReasoning = marks.droppedReasoning.filter(({ messageId }) => ids.has(messageId));
  const all = entries.slice(at).map(({ tokens }) => tokens);
  return sumOf(all) - sumOf(ofResults) - sumOf(ofReasoning.map((one) => one.freed));
};

const sumOf = (tokens: readonly number[]): number => tokens.reduce((sum, one) => sum + one, 0);

/** Guarantee: a tail of tokens parts nothing, keeps what waits, and lacks less than a group of what was asked for. */
// Holds rule 5.83.
describe('a cut for a tail of tokens', () => {
  it('is never inside an atomic group', () =>
    everyTail(({ session, at }) => {
      const groups = atomicGroups(messagesOf(session), pairingOf(session));
      expect(groups.map(({ start }) => start)).toContain(at);
    }));

  it('is never behind a call that waits for its result', () =>
    everyTail(({ session, at }) => {
      const abandoned = new Set(
        session.abandonedCalls.map(({ messageId, callId }) => `${messageId} ${callId}`),
      );
      for (const { id, call, result } of pairingOf(session).calls) {
        const waits = !result && !abandoned.has(`${session.entries[call.message]?.message.id} ${id}`);
        if (waits) expect(call.message).toBeGreaterThanOrEqual(at);
      }
    }));

  it('leaves what was asked for, or less than a group short of it, unless the plan says that the target is in the way', () =>
    everyTail(({ session, plan, at, keep }) => {
      if (plan.protection || tokensFrom(session, at) >= keep) return;
      const groups = atomicGroups(messagesOf(session), pairingOf(session));
      const before = groups.findLast(({ end }) => end <= at);
      expect(before).toBeDefined();
      expect(tokensFrom(session, before?.start ?? at)).toBeGreaterThanOrEqual(keep);
      // The message with which it would come to that is a part of that group, and not its first.
      expect(tokensFrom(session, (before?.start ?? at) + 1)).toBeGreaterThanOrEqual(keep);
    }));

  it('leaves no whole group more than was asked for, but what it must', () =>
    everyTail(({ session, at, keep }) => {
      const groups = atomicGroups(messagesOf(session), pairingOf(session));
      const next = groups.find(({ start }) => start > at);
      const waiting = pairingOf(session).calls.find(({ result }) => !result)?.call.message ?? Infinity;
      if (next && next.start <= waiting)
        expect(tokensFrom(session, next.start)).toBeLessThan(Math.max(1, keep));
    }));

  it('leaves less only where the target is in the way, by the numbers that the plan gives', () =>
    everyTail(({ session, plan, at, keep }) => {
      if (!plan.protection) return;
      expect(session.profile.protection).toBe('yields');
      expect(plan.protection).toMatchObject({ by: 'tokens', kept: tokensFrom(session, at), wanted: keep });
    }));
});
