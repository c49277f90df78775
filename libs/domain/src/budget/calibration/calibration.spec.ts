import { Revision, Tokens } from '@app/kernel';
import { append, assistant, complete, eventsOf, open, request, sessionOf, start, user } from '@app/testing';
import fc from 'fast-check';
import type { SessionCommand } from '../../decisions/commands.js';
import { decide } from '../../decisions/decide.js';
import { evolve } from '../../evolve/evolve.js';
import { estimatedTokens, occupancy } from '../../occupancy/occupancy.js';
import { initialState, type SessionState } from '../../session/index.js';
import { type Calibration, calibrate, countedWithin, sizeBy, sizeOf } from './calibration.js';
import { NO_TRAITS, sumTraits, type TextTraits } from './traits.js';

const MODEL = 'claude-x';
/** Prompts that a provider makes `slope` times as large and `beside` tokens larger. */
const learned = (sizes: readonly number[], slope: number, beside: number, prior = 1_000) =>
  sizes.reduce<Calibration | undefined>((before, counted) => {
    const prompt = { counted: Tokens(counted), reported: Tokens(Math.round(counted * slope) + beside) };
    const news = counted - (before?.counted ?? 0);
    const sample = before
      ? { traits: letters(news), reported: news * slope, isWhole: false, prompt }
      : { traits: letters(counted), reported: prompt.reported, isWhole: true, prompt };
    return calibrate(before, MODEL, sample, prior);
  }, undefined);
/** Text of words of four letters, and of marks: a token each. */
const letters = (tokens: number) => ({ ...NO_TRAITS, tokens, words: tokens, letters: 4 * tokens });
const marks = (tokens: number) => ({ ...NO_TRAITS, tokens, marks: tokens });
const growing = (steps: number, by = 2_000) => Array.from({ length: steps }, (_, step) => (step + 1) * by);

describe('token calibration of a model', () => {
  it('finds the multiplier and the fixed overhead of requests', () => {
    const calibration = learned(growing(40), 1.25, 30_000);
    expect(Math.abs((calibration?.perThousand ?? 0) - 1_250)).toBeLessThan(5);
    expect(calibration?.errorPerThousand).toBeLessThan(10);
    expect(calibration?.samples).toBe(40);
    const predicted = calibration && sizeBy(calibration, 50_000);
    expect(Math.abs((predicted ?? 0) - 92_500) / 92_500).toBeLessThan(0.01);
  });
  it('finds the multiplier of each kind of text after two bills', () => {
    const bills = [
      {
        traits: sumTraits([letters(2_000), marks(1_000)]),
        reported: 2_000 * 1.1 + 1_000 * 1.3 + 500,
        isWhole: true,
      },
      { traits: letters(2_000), reported: 2_000 * 1.1, isWhole: false },
      { traits: marks(3_000), reported: 3_000 * 1.3, isWhole: false },
      { traits: marks(2_000), reported: 2_000 * 1.3, isWhole: false },
    ];
    const prompt = { counted: Tokens(10_000), reported: Tokens(12_000) };
    const found = bills.reduce<Calibration | undefined>(
      (before, bill) => calibrate(before, MODEL, { ...bill, prompt }, 1_000),
      undefined,
    );
    const size = (traits: TextTraits) => (found ? sizeOf(found, traits) : 0);
    expect(Math.abs(size(letters(1_000)) - 1_100)).toBeLessThan(15);
    expect(Math.abs(size(marks(1_000)) - 1_300)).toBeLessThan(15);
    expect(Math.abs((found?.overhead ?? 0) - 500)).toBeLessThan(60);
  });
  it('starts with the multiplier of the model family', () =>
    expect(learned([1_000], 1.5, 0, 1_500)).toMatchObject({
      perThousand: 1_500,
      overhead: 0,
      errorPerThousand: 0,
    }));
  it('reports its error for the newest request', () =>
    expect(learned([1_000], 2, 0)).toMatchObject({ counted: 1_000, reported: 2_000, errorPerThousand: 500 }));
  it('leaves usable room in the window for any fixed overhead', () => {
    const calibrations = [learned(growing(40), 1, 30_000)].filter((one) => one !== undefined);
    const within = (window: number) =>
      countedWithin({ model: MODEL, calibrations, limits: { window: Tokens(window) } }, Tokens(window));
    expect(within(8_000)).toBeGreaterThan(5_500);
    expect(within(200_000)).toBeLessThan(172_000);
  });
  it('changes little after one outlier', () => {
    const before = learned(growing(30), 1.2, 0);
    const prompt = { counted: Tokens(61_000), reported: Tokens(600_000) };
    const odd = { traits: letters(1_000), reported: 530_000, isWhole: false, prompt };
    const after = before && calibrate(before, MODEL, odd, 1_000);
    expect(Math.abs((after?.perThousand ?? 0) - (before?.perThousand ?? 0))).toBeLessThan(100);
  });
  it('stays bounded and whole for any reported usage', () => {
    const sample = fc
      .record({
        traits: fc.record({
          tokens: size,
          words: size,
          letters: size,
          digits: size,
          marks: size,
          wide: size,
          blocks: size,
        }),
        reported: fc.integer({ min: -2_000_000, max: 2_000_000 }),
        isWhole: fc.boolean(),
      })
      .map((one) => ({ ...one, prompt: { counted: Tokens(1), reported: Tokens(Math.abs(one.reported)) } }));
    fc.assert(
      fc.property(
        fc.array(sample, { minLength: 1 }),
        fc.integer({ min: 700, max: 2_000 }),
        (samples, prior) => {
          const last = samples.reduce<Calibration | undefined>(
            (before, one) => calibrate(before, MODEL, one, prior),
            undefined,
          );
          if (!last) throw new Error('there is at least one sample');
          const { perThousand, weights, overhead, errorPerThousand } = last;
          expect(perThousand).toBeGreaterThanOrEqual(400);
          expect(perThousand).toBeLessThanOrEqual(2_500);
          for (const number of [perThousand, ...Object.values(weights), overhead, errorPerThousand])
            expect(Number.isSafeInteger(number)).toBe(true);
          for (const traits of samples.map((one) => one.traits)) {
            expect(sizeOf(last, traits)).toBeGreaterThanOrEqual(Math.floor(traits.tokens * 0.4));
            expect(sizeOf(last, traits)).toBeLessThanOrEqual(Math.ceil(traits.tokens * 2.5));
          }
        },
      ),
    );
  });
});
const size = fc.nat({ max: 2_000_000 });

describe('occupancy of a session with reported usage', () => {
  const BESIDE = 400;
  /** Steps whose billed prompt is half as large again as the counted one, plus a fixed overhead. */
  const reportedTurns = (count: number): readonly SessionCommand[] => {
    const commands: SessionCommand[] = [open({ window: 100_000 })];
    for (let turn = 1; turn <= count; turn += 1) {
      commands.push(append(user(`u${turn}`, 'x'.repeat(4_000))));
      const counted = estimatedTokens(sessionOf(...commands));
      const appended = append(assistant(`a${turn}`, 'done'));
      if (appended.type !== 'AppendMessages') throw new Error('messages are appended');
      const inputTokens = Tokens(Math.round(counted * 1.5) + BESIDE);
      const none = Tokens(0);
      const usage = {
        usage: { inputTokens, cacheReadTokens: none, cacheWriteTokens: none, outputTokens: Tokens(1) },
        model: openedModel,
        outcome: 'completed',
        source: 'reported',
      } as const;
      commands.push({ ...appended, data: { ...appended.data, usage, perThousand: 1_400 } });
    }
    return commands;
  };
  const openedModel = sessionOf(open()).model;

  it('follows the provider’s multiplier from the second bill on', () => {
    const after = append(user('last', 'y'.repeat(400)));
    const grownBy = (count: number): number => {
      const [before, now] = [sessionOf(...reportedTurns(count)), sessionOf(...reportedTurns(count), after)];
      return (occupancy(now) - occupancy(before)) / (estimatedTokens(now) - estimatedTokens(before));
    };
    expect(grownBy(0)).toBe(1);
    expect(grownBy(2)).toBeCloseTo(1.5, 1);
  });
  it('re-estimates the whole context with the provider’s multiplier once no bill is valid', () => {
    const session = sessionOf(...reportedTurns(12), request(), start(), complete());
    expect(session.usage).toBeUndefined();
    const expected = estimatedTokens(session) * 1.5 + BESIDE;
    expect(Math.abs(occupancy(session) - expected) / expected).toBeLessThan(0.01);
  });
  it('is identical after a replay of the events', () => {
    const { calibrations } = sessionOf(...reportedTurns(5));
    expect(calibrations).toMatchObject([{ model: openedModel, samples: 5 }]);
    const replayed = eventsOf(...reportedTurns(5)).reduce<SessionState>(
      (state, event, at) => evolve(state, { event, revision: Revision(at) }),
      initialState,
    );
    expect(replayed).toMatchObject({ calibrations });
  });
  it('ignores bills of another model, of recordings and of failed calls', () => {
    const [last] = reportedTurns(1).slice(-1);
    if (last?.type !== 'AppendMessages' || !last.data.usage) throw new Error('usage is reported');
    const { usage } = last.data;
    for (const other of [{ model: 'gpt-x' }, { source: 'transcript' }, { outcome: 'failed' }] as const) {
      const session = sessionOf(open({ window: 100_000 }), append(user('before', 'hello')));
      const command = { ...last, data: { ...last.data, usage: { ...usage, ...other } } };
      const reported = decide(command, session).find(({ type }) => type === 'UsageReported');
      expect(reported?.data).not.toHaveProperty('calibration');
    }
  });
});
