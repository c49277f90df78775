import { readFileSync } from 'node:fs';
import { afterFailure, edit, find, having, jest, read, run, step, turn, write } from './words.mjs';

const TEXT = 'libs/kernel/src/text.ts';
const SPEC = 'libs/kernel/src/text.spec.ts';
const PROFILES = 'libs/domain/src/profiles/index.ts';
const MODELS = 'libs/domain/src/budget/models.ts';
const PROJECTIONS = 'apps/cli/src/commands/projections.command.ts';
const TOUCHED = '^(libs/kernel|libs/domain/src/(budget|compaction)|apps/cli/src/commands/projections)';
const typecheck = run(`! node_modules/.bin/tsc --noEmit -p . | grep -E '${TOUCHED}'`);
const messagesSpec = readFileSync(new URL('./files/names.spec.ts.txt', import.meta.url), 'utf8');

/** The helper takes the place of the slices, and the user comes to another mind about its limit. */
export const USE_IT = [
  turn(
    'Leave headAndTail alone in this change; I will open issue #231 for it. Please remind me of it at the end. Now let the three messages use quoteName.',
    step(
      'Noted: `headAndTail` stays as it is, and #231 is an open point for the end. I will read the whole command of the projections, since I have only seen a few lines of it, and see where the other two functions are called from.',
      read(PROJECTIONS),
      find('profileNamed\\(|limitsOf\\(', undefined, 3),
    ),
    having(
      ['const named = (name: string | undefined)', 'profileNamed(input.profile)'],
      step(
        'Both functions get their name unchecked from a command or from an import. Now the three messages.',
        edit(PROFILES, '"${name.slice(0, 64)}"', '${quoteName(name)}'),
        edit(MODELS, '"${model.slice(0, 64)}"', '${quoteName(model)}'),
        edit(PROJECTIONS, '"${name.slice(0, 64)}"', '${quoteName(name)}'),
      ),
    ),
    having(
      [`${PROFILES} changed`, `${MODELS} changed`, `${PROJECTIONS} changed`],
      step('All three are changed. The types of the files that we touch:', typecheck),
    ),
    afterFailure(
      ['exit code 1', "error TS2304: Cannot find name 'quoteName'"],
      step(
        'That was hasty: I changed the three templates and forgot the three imports.',
        edit(
          PROFILES,
          "import { AppError } from '@app/kernel';",
          "import { AppError, quoteName } from '@app/kernel';",
        ),
        edit(MODELS, 'import { AppError, Tokens }', 'import { AppError, quoteName, Tokens }'),
        edit(
          PROJECTIONS,
          "import { AppError } from '@app/kernel';",
          "import { AppError, quoteName } from '@app/kernel';",
        ),
      ),
    ),
    having(
      ['changed at line'],
      step(
        'And again the types, the style and the rules for imports.',
        typecheck,
        run('node_modules/.bin/biome check libs/kernel libs/domain'),
        run('node_modules/.bin/depcruise --config .dependency-cruiser.cjs libs/kernel libs/domain'),
        run('git diff -- libs/domain apps'),
      ),
    ),
    having(
      ['(no output)', 'No fixes applied', 'no dependency violations found', '+  throw new AppError('],
      step(
        'Types, style and import rules are fine. The three messages use `quoteName`; the worker keeps its own slice, as we agreed, because an id must not hold an `…`.',
      ),
    ),
  ),

  turn(
    'I have changed my mind about the limit. 64 is too much: our log viewer shows 100 columns, and the advice behind the name should still be on them. Make it 40. That replaces the 64 that I asked for before.',
    step(
      'So 40 UTF-16 units from now on, not 64. It stands in the constant, in the docstring and in the spec; I will find them all before I change anything.',
      find('\\b6[2-5]\\b', 'libs/kernel'),
      run('git diff --stat'),
    ),
    having(
      ['const NAME_MAX = 64;', 'is whole at 64 units, and cut at 65', 'files changed'],
      step(
        'The numbers in `ids.ts` are limits of ids and have nothing to do with this; they stay. The constant and the docstring first, then the examples in the spec.',
        edit(TEXT, 'const NAME_MAX = 64;', 'const NAME_MAX = 40;'),
        edit(TEXT, 'cut to 64 UTF-16 units with', 'cut to 40 UTF-16 units with'),
        edit(
          SPEC,
          [
            "  it('is whole at 64 units, and cut at 65', () => {",
            "    expect(quoteName('x'.repeat(64))).toBe(`\"${'x'.repeat(64)}\"`);",
            "    expect(quoteName('x'.repeat(65))).toBe(`\"${'x'.repeat(63)}…\"`);",
          ].join('\n'),
          [
            "  it('is whole at 40 units, and cut at 41', () => {",
            "    expect(quoteName('x'.repeat(40))).toBe(`\"${'x'.repeat(40)}\"`);",
            "    expect(quoteName('x'.repeat(41))).toBe(`\"${'x'.repeat(39)}…\"`);",
          ].join('\n'),
        ),
        jest(SPEC),
      ),
    ),
    afterFailure(
      ['is not cut inside an emoji', '7 passed, 1 failed'],
      step(
        'One example is left that still counts to 64: the emoji, which has to stand right at the new limit to prove anything.',
        edit(
          SPEC,
          "expect(quoteName(`${'x'.repeat(62)}😀😀`)).toBe(`\"${'x'.repeat(62)}…\"`));",
          "expect(quoteName(`${'x'.repeat(38)}😀😀`)).toBe(`\"${'x'.repeat(38)}…\"`));",
        ),
        jest(`${SPEC} --verbose`),
        find('\\b6[2-5]\\b', TEXT),
        find('\\b6[2-5]\\b', SPEC),
        run('git diff -- libs/kernel libs/domain'),
        run(
          [
            "node scripts/build.mjs && node --input-type=module -e '",
            'import { profileNamed } from "./dist/libs/domain/src/profiles/index.js";',
            'const names = ["quick", "q".repeat(40), "q".repeat(41), "a-profile-with-a-name-that-goes-on-and-on-for-a-while"];',
            'for (const name of names) {',
            '  try { profileNamed(name); } catch ({ message }) { console.log(message.length, message); }',
            "}'",
          ].join('\n'),
        ),
      ),
    ),
    having(
      [
        '8 passed, 0 failed',
        'no matches',
        '94 there is no profile',
        '"a-profile-with-a-name-that-goes-on-and-…"',
      ],
      step(
        'The limit is 40 UTF-16 units now, in one constant. The helper and its spec do not say 64 any more, and all eight tests pass. The longest message about an unknown profile has 94 characters, its advice included, so it fits on your 100 columns.',
      ),
    ),
  ),

  turn(
    'Now I would like to see it from the outside: what does somebody read who mistypes a profile or a model? Write a small spec for those two messages in the domain.',
    step(
      'I will look at both functions once more, at what a profile needs, and whether a spec exists that names these messages.',
      read(MODELS, 28),
      read('libs/domain/src/compaction/profile.ts'),
      read('libs/domain/src/profiles/core.ts'),
      read('libs/domain/src/budget/limits.ts'),
      find('there is no profile|nobody knows the window', undefined, 1),
    ),
    having(
      ["unknownWindow !== 'refuse'", 'there is no profile ${quoteName(name)}'],
      step(
        "A model is only refused where the profile says `unknownWindow: 'refuse'`, so the spec needs such a profile. One file for both messages:",
        write('libs/domain/src/profiles/names-in-messages.spec.ts', messagesSpec),
        jest('libs/domain/src/profiles/names-in-messages.spec.ts --verbose'),
      ),
    ),
    having(
      ['6 passed, 0 failed'],
      step(
        'Six tests, all green: a short name is shown whole, a long one is cut at 40 with `…`, an emoji at the limit stays whole or goes away whole, for the profile and for the model alike. The rest of each message, "use one of …" and "give it in tokens", is still there.',
      ),
    ),
  ),
];
