import { readFileSync } from 'node:fs';
import { afterFailure, edit, find, having, jest, read, run, step, turn, write } from './words.mjs';

const TEXT = 'libs/kernel/src/text.ts';
const SPEC = 'libs/kernel/src/text.spec.ts';
const spec = readFileSync(new URL('./files/text.spec.ts.txt', import.meta.url), 'utf8');

/** Text inserted before the comment of the next function. */
const HELPER = [
  '/** What {@link quoteName} shows of a name at most, in UTF-16 units. */',
  'const NAME_MAX = 64;',
  '',
  '/** `name` as a message quotes it: in double quotes, cut to 64 UTF-16 units with `…` where it goes on. */',
  'export const quoteName = (name: string): string => `"${truncate(name, NAME_MAX)}"`;',
  '',
  '',
].join('\n');
const COMMENT =
  '/** The first and last parts of `text` with a note between them that says how much is missing. */';
const MISQUOTED =
  '/** The first and the last part of `text`, with a note between them that says how much is missing. */';

/** The helper, its spec, and the defect that the spec finds in a neighbour. */
export const BUILD_IT = [
  turn(
    'B, because then there is one place to change when somebody asks for another limit. Call it quoteName, and keep 64 as it is today. Go ahead.',
    step(
      'First a look at how the docstrings of the kernel name their units, since yours is to be a rule that I can follow by example.',
      read('libs/kernel/src/units.ts'),
      read('libs/kernel/src/ids.ts'),
      find('UTF-16|in tokens|in bytes|milliseconds|characters', 'libs/kernel'),
      find('UTF-16|in bytes|in milliseconds|in characters', 'libs/formats'),
    ),
    having(
      ['UTF-16 units', 'as the token counter of the session'],
      step(
        'They say it in the first sentence: "A count of model tokens", "at most `max` UTF-16 units". I will put the helper right behind `truncate`, which it uses.',
        edit(TEXT, MISQUOTED, `${HELPER}${MISQUOTED}`),
      ),
    ),
    afterFailure(
      ['the old text does not stand in'],
      step(
        'I quoted that comment from memory, and it does not stand there in these words. I will read the lines again instead of guessing.',
        read(TEXT, 17, 12),
      ),
    ),
    having(
      ['/** The first and last parts of `text` with a note between them'],
      step(
        'The comment begins "The first and last parts". Now with the exact text, and with the helper itself.',
        edit(TEXT, COMMENT, `${HELPER}${COMMENT}`),
      ),
    ),
    having(
      ['text.ts changed at line'],
      step(
        'Let me check the types and the style of the kernel, and look at the result once.',
        run('node_modules/.bin/tsc --noEmit -p . | grep libs/kernel || echo "no type errors in libs/kernel"'),
        run('node_modules/.bin/biome check libs/kernel'),
        read(TEXT),
      ),
    ),
    having(
      ['no type errors in libs/kernel', 'No fixes applied', 'export const quoteName'],
      step(
        '`quoteName` stands in `libs/kernel/src/text.ts`, with a docstring that names its unit: UTF-16 units, as `truncate` counts them. Decision on record: design B, since the limit then has one home. Nobody calls it yet; I suggest a spec first.',
      ),
    ),
  ),

  turn(
    'Yes, the spec first. Property tests for what truncate promises, please, since quoteName rests on it, and examples for quoteName.',
    step(
      'The kernel has no spec so far, so I will look at how the others are written: two with examples, one with properties.',
      read('libs/formats/src/lines/parse-line.spec.ts'),
      read('libs/formats/src/open/open-transcript.properties.spec.ts', 1, 75),
      read('libs/formats/src/drafts/settle.spec.ts'),
      find('testMatch|moduleNameMapper|roots', 'jest.config.mjs', 2),
    ),
    having(
      ["import fc from 'fast-check'", 'fc.assert(', '**/*.spec.ts'],
      step(
        'I will follow their form: a group is a thing, a test name is a rule. The seed is fixed, so that a failure can be looked at twice.',
        write(SPEC, spec),
        jest(SPEC),
      ),
    ),
    afterFailure(
      ['Property failed after', 'Counterexample: ["a",0]', 'Expected: <= 0', '7 passed, 1 failed'],
      step(
        [
          'Seven tests pass and one fails, and the one that fails is right. fast-check found the smallest case itself: `truncate("a", 0)` returns `…`, which is one UTF-16 unit long, although the docstring promises at most `max`.',
          '',
          'The reason is `Math.max(0, max - 1)` in `truncate`. It keeps the slice from going negative, but the `…` is added in every case. `quoteName` is not affected, because its limit is never 0. Shall I fix `truncate` here, or would you rather have that apart?',
        ].join('\n'),
      ),
    ),
  ),

  turn(
    'Fix it here, it is the same promise. Where there is no room even for the mark, return an empty text.',
    step(
      'First, who could notice the difference? I will look at the callers again, and at the function.',
      find('\\btruncate\\(', undefined, 3),
      read(TEXT),
      read('libs/application/src/queries/get-context.ts'),
    ),
    having(
      ['render-context.ts', 'Math.max(0, max - 1)', 'ContextView'],
      step(
        'The only other caller outside the spec is `render-context.ts`. It prints a `ContextView` and cuts each line at a constant of 160, so nobody sees a change there.',
        edit(
          TEXT,
          [
            '/** `text` cut to at most `max` UTF-16 units, with `…` where something was left out. */',
            'export const truncate = (text: string, max: number): string =>',
            '  text.length <= max ? text : `${text.slice(0, safeEnd(text, Math.max(0, max - 1)))}…`;',
          ].join('\n'),
          [
            '/** `text` cut to at most `max` UTF-16 units, with `…` where something was left out and there is room for it. */',
            'export const truncate = (text: string, max: number): string => {',
            '  if (text.length <= max) return text;',
            "  return max < 1 ? '' : `${text.slice(0, safeEnd(text, max - 1))}…`;",
            '};',
          ].join('\n'),
        ),
        jest(`${SPEC} --verbose`),
        run('node_modules/.bin/biome check libs/kernel'),
      ),
    ),
    having(
      ['✓ is never longer than it may be, in UTF-16 units', '8 passed, 0 failed', 'No fixes applied'],
      step(
        'All eight tests pass now, with the same seed that failed before. `truncate` returns an empty text where `max` is below 1, and is unchanged otherwise.',
      ),
    ),
  ),

  turn(
    'Does headAndTail have the same problem? It is the other one that promises a maximum.',
    step(
      'I will read it, see who uses it, see whether the stage for tool outputs needs it, look which others promise an "at most" in their docstrings, and try it on a text that is just one character too long.',
      read(TEXT, 28, 10),
      find('headAndTail'),
      read('libs/domain/src/compaction/stages/drop-tool-outputs.ts'),
      find('/\\*\\*.*at most|^ \\* .*at most', 'libs'),
      run(
        [
          "node scripts/build.mjs && node --input-type=module -e '",
          'import { headAndTail } from "./dist/libs/kernel/src/text.js";',
          'for (const [length, max] of [[100, 100], [101, 100], [500, 100], [10_000, 1_000]]) {',
          '  const result = headAndTail("x".repeat(length), max);',
          '  process.stdout.write(`${length} characters, max ${max}: result has ${result.length}\\n`);',
          "}'",
        ].join('\n'),
      ),
    ),
    having(
      [
        '1 matching lines in 1 files',
        'dropToolOutputs',
        '101 characters, max 100: result has 129',
        '10000 characters, max 1000: result has 1032',
      ],
      step(
        [
          'Yes, and it is a little worse. It gives the whole of `max` to head and tail and adds its note on top:',
          '',
          '- 101 characters with a maximum of 100 become 129, so the "shortened" text is longer than the text itself.',
          '- 10,000 characters with a maximum of 1,000 become 1,032.',
          '',
          'The others that say "at most" speak of counts that are checked or of settings, not of texts that are cut. The docstring of `headAndTail` names no unit and no bound, so it breaks no written promise; but a caller who must fit a limit would be surprised. Nothing in the repository calls it at the moment; the stage for tool outputs drops them whole. A fix needs a decision, because for a very small `max` the note alone does not fit.',
        ].join('\n'),
      ),
    ),
  ),
];
