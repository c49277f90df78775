import { atomicGroups, type Message, type OpenSession, type Plan, pairToolCalls, prepare } from '@app/domain';
import { play, scripts } from '@app/testing';
import fc from 'fast-check';
import { runsOf, sessionsOf } from './support/histories.js';

type Planned = { readonly session: OpenSession; readonly plan: Plan; readonly at: number };

/** Checks a property for every planned summary in many histories, with tails of any size. */
const everyTail = (holds: (planned: Planned & { readonly keep: number }) => void): void =>
  fc.assert(
    fc.property(scripts(), fc.integer({ min: 0, max: 2_500 }), (script, keep) => {
      const planned = sessionsOf(play(script)).flatMap((session) => plannedIn(session, keep));
      fc.pre(planned.length > 0); // Too many skipped histories fail the test.
      for (const one of planned) holds({ ...one, keep });
    }),
    runsOf(80),
  );

const plannedIn = (session: OpenSession, keepRecentTokens: number): Planned[] => {
  const policy = { keepBy: 'tokens', keepRecentTokens, stages: ['summarize'] } as const;
  const plan = prepare(session, { ...session.profile, ...policy });
  if (plan.kind === 'none') return [];
  if (session.marks.collapsed.length > 0) return []; // Collapsed turns count less than their messages.
  const at = session.entries.findIndex(({ message }) => message.id === plan.cut.messageId);
  return [{ session, plan, at }];
};

const messagesOf = ({ entries }: OpenSession): Message[] => entries.map(({ message }) => message);
const pairingOf = (session: OpenSession) =>
  pairToolCalls(messagesOf(session), ({ id }, callId) =>
    session.abandonedCalls.some((call) => call.messageId === id && call.callId === callId),
  );
/** Returns the tokens from a position on; the savings of a dropped output belong to the output's position. */
const tokensFrom = (session: OpenSession, at: number): number => {
  const { entries, droppedOutputs, marks } = session;
  const known = new Set<string>();
  const ofResults = pairingOf(session).calls.flatMap(({ id, call, result }) => {
    const caller = entries[call.message]?.message.id;
    if (known.has(`${caller} ${id}`)) return []; // A mark for a duplicate id.
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

/** Guarantee: a tail by tokens splits nothing, keeps unanswered calls, and is at most a group short of its size. */
// Holds rule 5.83.
describe('cut for a tail by tokens', () => {
  it('is never inside an atomic group', () =>
    everyTail(({ session, at }) => {
      const groups = atomicGroups(messagesOf(session), pairingOf(session));
      expect(groups.map(({ start }) => start)).toContain(at);
    }));

  it('is never after an unanswered call', () =>
    everyTail(({ session, at }) => {
      const abandoned = new Set(
        session.abandonedCalls.map(({ messageId, callId }) => `${messageId} ${callId}`),
      );
      for (const { id, call, result } of pairingOf(session).calls) {
        const waits = !result && !abandoned.has(`${session.entries[call.message]?.message.id} ${id}`);
        if (waits) expect(call.message).toBeGreaterThanOrEqual(at);
      }
    }));

  it('retains the requested size, or is less than a group short of it, unless the plan names the target as the reason', () =>
    everyTail(({ session, plan, at, keep }) => {
      if (plan.protection || tokensFrom(session, at) >= keep) return;
      const groups = atomicGroups(messagesOf(session), pairingOf(session));
      const before = groups.findLast(({ end }) => end <= at);
      expect(before).toBeDefined();
      expect(tokensFrom(session, before?.start ?? at)).toBeGreaterThanOrEqual(keep);
      // The message that would reach the size is part of that group, but not its first one.
      expect(tokensFrom(session, (before?.start ?? at) + 1)).toBeGreaterThanOrEqual(keep);
    }));

  it('retains no whole group above the requested size, except for required ones', () =>
    everyTail(({ session, at, keep }) => {
      const groups = atomicGroups(messagesOf(session), pairingOf(session));
      const next = groups.find(({ start }) => start > at);
      const waiting = pairingOf(session).calls.find(({ result }) => !result)?.call.message ?? Infinity;
      if (next && next.start <= waiting)
        expect(tokensFrom(session, next.start)).toBeLessThan(Math.max(1, keep));
    }));

  it('retains less only because of the target, as the plan’s numbers show', () =>
    everyTail(({ session, plan, at, keep }) => {
      if (!plan.protection) return;
      expect(session.profile.protection).toBe('yields');
      expect(plan.protection).toMatchObject({ by: 'tokens', kept: tokensFrom(session, at), wanted: keep });
    }));
});
