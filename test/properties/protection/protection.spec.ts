import type { RetentionMode } from '@app/domain';
import { AppError } from '@app/kernel';
import * as fc from 'fast-check';
import { Installation, type Step, type Target } from './installation.js';
import { DAY_MS } from './promises.js';

const SESSIONS = ['s1', 's2', 's3'];
const SUBJECTS = ['a', 'b'].map((letter) => `sub_${letter.repeat(22)}`);
const MATTERS = ['case-1', 'case-2'];

type Action =
  | { readonly do: 'say'; readonly session: string; readonly subject: string }
  | {
      readonly do: 'keep';
      readonly session: string;
      readonly mode: RetentionMode;
      readonly days: number;
      readonly mayShorten: boolean;
    }
  | { readonly do: 'remove'; readonly session: string; readonly mayShorten: boolean }
  | { readonly do: 'hold' | 'release'; readonly session: string; readonly matter: string }
  | { readonly do: 'erase'; readonly target: Target }
  | { readonly do: 'killed'; readonly target: Target; readonly step: Step; readonly isBehind: boolean }
  | { readonly do: 'require'; readonly people: 1 | 2 }
  | { readonly do: 'approve' | 'withdraw'; readonly number: number }
  | { readonly do: 'clock'; readonly hours: number }
  | { readonly do: 'watch' };

const session = fc.constantFrom(...SESSIONS);
const subject = fc.constantFrom(...SUBJECTS);
const matter = fc.constantFrom(...MATTERS);
const target: fc.Arbitrary<Target> = fc.oneof(
  fc.record({ session }),
  fc.record({ subject }),
  fc.constant('tenant' as const),
);
const mode = fc.constantFrom<RetentionMode>('governance', 'compliance');
const one = <Kind extends string>(kind: Kind) => fc.constant(kind);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: one('say'), session, subject }) },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ do: one('keep'), session, mode, mayShorten: fc.boolean() },
      days: fc.integer({ min: 1, max: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: one('remove'), session, mayShorten: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('hold', 'release'), session, matter }) },
  { weight: 3, arbitrary: fc.record({ do: one('erase'), target }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ do: one('killed'), target, isBehind: fc.boolean() },
      step: fc.constantFrom<Step>('fence', 'destroy', 'evict', 'release'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: one('require'), people: fc.constantFrom(1, 2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('approve', 'withdraw'), number: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ do: one('clock'), hours: fc.integer({ min: -30, max: 80 }) }) },
  { weight: 2, arbitrary: fc.record({ do: one('watch') }) },
);
const retention = fc.option(fc.record({ mode, days: fc.integer({ min: 1, max: 4 }) }), { nil: undefined });

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
};

/** An erasure is completed, waits for a person, or names the hold or the date that defers it. */
const erase = async (at: Installation, wanted: Target): Promise<void> => {
  const { state, deferred, target: found } = await at.erase(wanted);
  const kept = at.concernedBy({ target: found }).filter((made) => made.isProtected(at.now));
  if (state !== 'deferred') return expect(state === 'completed' && kept.length > 0).toBe(false);
  const reasons = kept.flatMap((made) => [...made.holds].concat(String(made.keptUntil(at.now))));
  const named = /legal hold "(.*?)"/.exec(deferred?.because ?? '')?.[1];
  expect(reasons).toContain(named ?? String(Date.parse(deferred?.until ?? '')));
};

const perform = async (at: Installation, act: Action): Promise<void> => {
  switch (act.do) {
    case 'say':
      return at.say(act.session, act.subject);
    case 'keep': {
      const [made, until] = [at.of(act.session), at.now + act.days * DAY_MS];
      const isAllowed = made.mayKeep(act.mode, until, act.mayShorten, at.now);
      if (isAllowed) made.keep(act.mode, until, at.now);
      const code = await codeOf(at.keep(act.session, act.mode, until, act.mayShorten));
      return expect(code).toBe(isAllowed ? 'done' : 'retention-locked');
    }
    case 'remove': {
      const made = at.of(act.session);
      const isKept = made.keptUntil(at.now) !== undefined;
      const isAllowed = !isKept || (made.period?.mode === 'governance' && act.mayShorten);
      if (isKept && isAllowed) made.period = undefined;
      const code = await codeOf(at.remove(act.session, act.mayShorten));
      return expect(code).toBe(isAllowed ? 'done' : 'retention-locked');
    }
    case 'hold':
      await at.hold(act.session, act.matter);
      at.of(act.session).holds.add(act.matter);
      return;
    case 'release': {
      const isHeld = at.of(act.session).holds.delete(act.matter);
      const code = await codeOf(at.release(act.session, act.matter));
      expect(code).toBe(isHeld ? 'done' : 'hold-not-found');
      return isHeld ? expectCarriedOut(at) : undefined;
    }
    case 'erase':
      return erase(at, act.target);
    case 'killed':
      return at.killedAt(act.step, act.isBehind, () => at.erase(act.target));
    case 'require':
      return at.require(act.people);
    case 'approve':
    case 'withdraw': {
      const waiting = (await at.erasures()).filter(({ state }) => state === 'awaiting-approval');
      const found = waiting[act.number];
      return found && (act.do === 'approve' ? at.approve(found.erasureId) : at.withdraw(found.erasureId));
    }
    case 'clock':
      at.now += act.hours * 3_600_000;
      return;
    case 'watch':
      return at.watch();
  }
};

/** Invariants after every action. */
const expectKept = async (at: Installation): Promise<void> => {
  expect(at.broken).toEqual([]);
  for (const [name, made] of at.promises) {
    const { barrier } = await at.show(name);
    expect([name, barrier !== null]).toEqual([name, made.isProtected(at.now)]);
    const until = made.keptUntil(at.now);
    if (barrier?.kind === 'retention') expect(Date.parse(barrier.until)).toBe(until);
  }
};

/** Invariants after the end of holds, or a minute later: no erasure waits for an ended hold or a past date. */
const expectCarriedOut = async (at: Installation): Promise<void> => {
  for (const erasure of await at.erasures())
    if (erasure.state === 'deferred')
      expect(at.concernedBy(erasure).some((made) => made.isProtected(at.now))).toBe(true);
};

/** The date has come: nothing is left, or the erasure waits for a person. */
const expectEnded = async (at: Installation): Promise<void> => {
  const waiting = new Set(
    (await at.erasures()).flatMap(({ state, target: { scope, ...named } }) =>
      state === 'awaiting-approval' && 'session' in named ? [named.session as string] : [],
    ),
  );
  for (const [name, made] of at.promises) {
    if (!made.period || made.isProtected(at.now) || waiting.has(name)) continue;
    expect([name, made.subjects.size]).toEqual([name, 0]);
    made.period = undefined;
  }
};

/** Guarantee: in any order of holds, retention periods, erasures, times and crashes, promises are kept and due erasures are carried out. */
describe('holds, retention periods and erasures', () => {
  it('keep their promises in any order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(retention, { minLength: 3, maxLength: 3 }),
        fc.array(action, { maxLength: 40 }),
        async (defaults, actions) => {
          const at = new Installation();
          for (const [number, name] of SESSIONS.entries()) await at.open(name, defaults[number]);
          for (const act of actions) {
            await perform(at, act);
            await expectKept(at);
            if (act.do === 'watch') await expectCarriedOut(at);
            if (act.do === 'watch') await expectEnded(at);
          }
        },
      ),
      { numRuns: 300 },
    ));
});
