import fc from 'fast-check';
import type { Opening } from '../builders/index.js';
import type { Script } from './play.js';
import { manage, profiles, type Step, steps } from './steps.js';

/** Small windows that a few dozen messages fill several times; occasionally an unlimited one. */
const openings = (): fc.Arbitrary<Opening> =>
  fc.record({
    window: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1_800, max: 4_000 }) },
      { weight: 1, arbitrary: fc.constant(0) },
    ),
    fixedTokens: fc.integer({ min: 0, max: 100 }),
    model: fc.constantFrom('claude-opus-4-6', 'claude-opus-5-5', 'gpt-5.4'),
    systemPrompt: fc.constantFrom('', 'You are an agent.'),
    profile: profiles(),
  });

/** A compaction from check to end with messages in between, which single steps rarely produce. */
const compactions = (): fc.Arbitrary<Step[]> =>
  fc
    .tuple(
      fc.array(steps(), { maxLength: 3 }),
      fc.array(steps(), { maxLength: 3 }),
      fc.integer({ min: 130, max: 180 }),
    )
    .map(([queued, running, tokens]) => [
      { do: 'check' },
      ...queued,
      { do: 'start', worker: 'w1' },
      ...running,
      { do: 'finish', how: 'well', tokens },
    ]);

/** Whole histories as scripts: a failure is reported as a script, and shrinks to a short one. */
export const scripts = (): fc.Arbitrary<Script> => scriptsOf(compactions(), { minLength: 3, maxLength: 20 });

/** Short scripts with much management, mostly right after a compaction. */
export const livelyScripts = (): fc.Arbitrary<Script> => {
  const managed = fc
    .tuple(compactions(), fc.array(manage(), { maxLength: 2 }))
    .map(([compaction, deeds]): Step[] => [...compaction, ...deeds]);
  return scriptsOf(managed, { minLength: 4, maxLength: 9 });
};

const scriptsOf = (
  compaction: fc.Arbitrary<Step[]>,
  parts: { readonly minLength: number; readonly maxLength: number },
): fc.Arbitrary<Script> =>
  fc.record({
    opening: openings(),
    steps: fc
      .array(
        fc.oneof(
          { weight: 7, arbitrary: fc.array(steps(), { minLength: 1, maxLength: 8, size: 'max' }) },
          { weight: 3, arbitrary: compaction },
        ),
        { ...parts, size: 'max' },
      )
      .map((all) => all.flat()),
  });
