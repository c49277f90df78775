import {
  daysAfter,
  decide,
  erasureBarrier,
  evolve,
  initialState,
  type ProtectionCommand,
  type RetentionMode,
  rebuild,
} from '@app/domain';
import { Actor, AppError, CompactionId, type ErrorCode, IsoTime, MatterName } from '@app/kernel';
import { compactable, eventsOf, open, run, SESSION, sessionOf, specificationOf, tailOf } from '@app/testing';
import * as fc from 'fast-check';

const given = specificationOf({ initialState, evolve, decide });
const by = Actor('key:1');
const START = IsoTime('2026-01-01T00:00:00Z');
const day = (number: number): IsoTime => daysAfter(START, number);
const at = (number: number) => ({ sessionId: SESSION, by, now: day(number) });

type Period = { readonly now?: number; readonly mayShorten?: boolean; readonly reason?: string };
const keep = (
  mode: RetentionMode,
  until: number,
  { now = 0, mayShorten = false, reason }: Period = {},
): ProtectionCommand => ({
  type: 'SetRetention',
  data: { ...at(now), mode, until: day(until), mayShorten, ...(reason !== undefined && { reason }) },
});
const remove = ({ now = 0, mayShorten = true, reason = 'a test' }: Period = {}): ProtectionCommand => ({
  type: 'RemoveRetention',
  data: { ...at(now), mayShorten, reason },
});
const matter = (name: string) => ({ matter: MatterName(name), reason: 'litigation' });
const hold = (name: string, now = 0): ProtectionCommand => ({
  type: 'PlaceLegalHold',
  data: { ...at(now), ...matter(name) },
});
const release = (name: string, now = 0): ProtectionCommand => ({
  type: 'ReleaseLegalHold',
  data: { ...at(now), ...matter(name) },
});
const end = (now: number): ProtectionCommand => ({
  type: 'EndRetention',
  data: { sessionId: SESSION, now: day(now) },
});
const move = (newest: number, now: number): ProtectionCommand => ({
  type: 'ExtendRetention',
  data: { ...at(now), newestAt: day(newest) },
});
const barrier = (now: number, ...commands: readonly ProtectionCommand[]) =>
  erasureBarrier(sessionOf(open(), ...commands).protection, day(now));

describe('a retention period', () => {
  it('forbids an erasure until its date, to the instant', () => {
    const kept = keep('governance', 10);
    const before = IsoTime(new Date(Date.parse(day(10)) - 1));
    expect(erasureBarrier(sessionOf(open(), kept).protection, before)).toMatchObject({ kind: 'retention' });
    expect(barrier(10, kept)).toBeUndefined();
  });

  it.each<[string, ProtectionCommand]>([
    ['another date before', keep('compliance', 9, { mayShorten: true, reason: 'a test' })],
    ['the mode governance', keep('governance', 20, { mayShorten: true, reason: 'a test' })],
    ['a removal', remove()],
  ])('in the mode compliance refuses %s of any actor', (_, command) =>
    given(...eventsOf(open(), keep('compliance', 10)))
      .when(command)
      .thenRefuses('retention-locked'),
  );

  it('in the mode compliance is lengthened by anyone', () => {
    expect(barrier(11, keep('compliance', 10), keep('compliance', 12))).toMatchObject({ until: day(12) });
  });

  it.each<[string, Period, ErrorCode | undefined]>([
    ['without the permission', { reason: 'a test' }, 'retention-locked'],
    ['without a reason', { mayShorten: true }, 'retention-locked'],
    ['with a blank reason', { mayShorten: true, reason: ' ' }, 'retention-locked'],
    ['with permission and reason', { mayShorten: true, reason: 'a test' }, undefined],
  ])('in the mode governance is shortened %s: %j', (_, wish, code) => {
    const shortened = given(...eventsOf(open(), keep('governance', 10))).when(keep('governance', 9, wish));
    if (code) shortened.thenRefuses(code);
    else shortened.thenRecords('RetentionPeriodSet');
  });

  it('is no longer binding after its end', () =>
    given(...eventsOf(open(), keep('compliance', 10)))
      .when(keep('governance', 11, { now: 10 }))
      .thenRecords('RetentionPeriodSet'));

  it('ends in the future and within a hundred years', () => {
    given(...eventsOf(open()))
      .when(keep('governance', 0))
      .thenRefuses('invalid-settings');
    given(...eventsOf(open()))
      .when(keep('governance', 36_526))
      .thenRefuses('invalid-settings');
  });

  it('of a tenant’s default counts from the newest event', () => {
    const opened = open();
    const kept = {
      ...opened,
      data: { ...opened.data, openedAt: START, retention: { mode: 'compliance', days: 30 } as const },
    };
    const session = sessionOf(kept);
    expect(session.protection.period).toEqual({ mode: 'compliance', until: day(30), days: 30 });
    expect(sessionOf(kept, move(20, 21)).protection.period?.until).toBe(day(50));
    given(...eventsOf(kept))
      .when(move(-1, 1))
      .thenNothing();
    // A later date does not end the promise; a shorter period in the mode `governance` does.
    const lengthened = sessionOf(kept, keep('compliance', 31)).protection.period;
    expect(lengthened).toEqual({ mode: 'compliance', until: day(31), days: 30 });
  });

  it('ends once, when its date has come and nothing is held', () => {
    const kept = [open(), keep('governance', 10)];
    given(...eventsOf(...kept))
      .when(end(9))
      .thenNothing();
    given(...eventsOf(...kept, hold('case-1')))
      .when(end(11))
      .thenNothing();
    given(...eventsOf(...kept))
      .when(end(10))
      .thenRecords('RetentionPeriodEnded');
    given(...eventsOf(...kept, end(10)))
      .when(end(11))
      .thenNothing();
  });
});

describe('a legal hold', () => {
  it('comes before every date, and has no end of its own', () => {
    expect(barrier(36_000, keep('governance', 10), hold('case-1'))).toEqual({
      kind: 'hold',
      matter: 'case-1',
    });
  });

  it('ends by its release alone; others stay', () => {
    expect(barrier(0, hold('case-1'), hold('case-2'), release('case-1'))).toMatchObject({ matter: 'case-2' });
    expect(barrier(0, hold('case-1'), release('case-1'))).toBeUndefined();
  });

  it('is recorded once, and released once', () => {
    given(...eventsOf(open(), hold('case-1')))
      .when(hold('case-1', 1))
      .thenNothing();
    given(...eventsOf(open()))
      .when(release('case-1'))
      .thenRefuses('hold-not-found');
  });

  it('is limited to 100 matters', () => {
    const holds = Array.from({ length: 100 }, (_, number) => hold(`case-${number}`));
    given(...eventsOf(open(), ...holds))
      .when(hold('one-more'))
      .thenRefuses('too-many-holds');
  });

  it('can be placed on a closed session', () =>
    given(...eventsOf(open(), { type: 'CloseSession', data: { sessionId: SESSION, reason: 'done' } }))
      .when(hold('case-1'))
      .thenRecords('LegalHoldPlaced'));
});

it('protection outlives the pivot that readers start at', () => {
  const confirmed = { compactionId: CompactionId('r1'), reason: 'a test', confirm: true };
  const { stream } = run([
    ...[...compactable(), keep('compliance', 10), hold('case-1')],
    { type: 'ResetSession', data: { sessionId: SESSION, ...confirmed } },
  ]);
  expect(rebuild(tailOf(stream))).toMatchObject({
    pivot: { kind: 'reset' },
    protection: { period: { until: day(10) }, holds: [{ matter: 'case-1' }] },
  });
});

/** A move of the clock, in days, or a command at the clock's time. */
type Step =
  | { readonly do: 'clock'; readonly days: number }
  | { readonly do: 'keep'; readonly mode: RetentionMode; readonly days: number; readonly wish: Period }
  | { readonly do: 'remove'; readonly wish: Period }
  | { readonly do: 'hold' | 'release'; readonly name: string }
  | { readonly do: 'erase' | 'end' };

const wish = fc.record(
  { mayShorten: fc.boolean(), reason: fc.constantFrom('why', ' ') },
  { requiredKeys: ['mayShorten'] },
);
const name = fc.constantFrom('case-1', 'case-2');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('clock' as const), days: fc.integer({ min: -20, max: 40 }) }),
  fc.record({
    do: fc.constant('keep' as const),
    mode: fc.constantFrom<RetentionMode>('governance', 'compliance'),
    days: fc.integer({ min: -5, max: 60 }),
    wish,
  }),
  fc.record({ do: fc.constant('remove' as const), wish }),
  fc.record({ do: fc.constantFrom('hold' as const, 'release' as const), name }),
  fc.record({ do: fc.constantFrom('erase' as const, 'end' as const) }),
);

/** Specification of retention and holds, which the decisions implement. */
class Model {
  now = 100;
  /** The latest time that the clock has shown. */
  latest = this.now;
  readonly holds = new Set<string>();
  period: { readonly mode: RetentionMode; readonly until: number } | undefined;
  /** The latest date that was ever promised in the mode compliance. */
  promised = 0;

  isKept(): boolean {
    return this.period !== undefined && this.period.until > this.now;
  }

  /** Returns the code of the refusal; `undefined` if the step is carried out. */
  carryOut(one: Step): ErrorCode | undefined {
    switch (one.do) {
      case 'clock':
        this.now += one.days;
        this.latest = Math.max(this.latest, this.now);
        return undefined;
      case 'hold':
        this.holds.add(one.name);
        return undefined;
      case 'release':
        return this.holds.delete(one.name) ? undefined : 'hold-not-found';
      case 'keep': {
        const until = this.now + one.days;
        if (until <= this.now) return 'invalid-settings';
        if (this.weakens(one.mode, until) && !this.mayWeaken(one.wish)) return 'retention-locked';
        this.period = { mode: one.mode, until };
        if (one.mode === 'compliance') this.promised = Math.max(this.promised, until);
        return undefined;
      }
      case 'remove':
        if (!this.isKept()) return undefined;
        if (!this.mayWeaken({ reason: 'a test', ...one.wish })) return 'retention-locked';
        this.period = undefined;
        return undefined;
      case 'end':
        if (!this.isKept() && this.holds.size === 0) this.period = undefined;
        return undefined;
      case 'erase':
        return undefined;
    }
  }

  private weakens(mode: RetentionMode, until: number): boolean {
    if (!this.period || !this.isKept()) return false;
    return until < this.period.until || (this.period.mode === 'compliance' && mode === 'governance');
  }

  private mayWeaken({ mayShorten = false, reason = '' }: Period): boolean {
    return this.period?.mode === 'governance' && mayShorten && reason.trim() !== '';
  }
}

const commandOf = (one: Step, now: number): ProtectionCommand | undefined => {
  switch (one.do) {
    case 'keep':
      return keep(one.mode, now + one.days, { ...one.wish, now });
    case 'remove':
      return remove({ ...one.wish, now });
    case 'hold':
      return hold(one.name, now);
    case 'release':
      return release(one.name, now);
    case 'end':
      return end(now);
    default:
      return undefined;
  }
};

it('keeps its promises in every order of holds, periods, erasures and clock changes', () =>
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const model = new Model();
      let past = run([open()]);
      for (const one of steps) {
        const command = commandOf(one, model.now);
        const refusal = model.carryOut(one);
        expect(
          refusalOf(() => {
            if (command) past = run([command], past);
          }),
        ).toBe(refusal);
        const state = past.states.at(-1);
        if (state?.status !== 'open') throw new Error('the session is open');
        const forbidden = erasureBarrier(state.protection, day(model.now));
        expect(forbidden?.kind).toBe(
          model.holds.size > 0 ? 'hold' : model.isKept() ? 'retention' : undefined,
        );
        if (!forbidden) expect(model.latest).toBeGreaterThanOrEqual(model.promised);
      }
    }),
    { numRuns: 500 },
  ));

const refusalOf = (act: () => void): ErrorCode | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
};
