import { readFileSync } from 'node:fs';
import { edit, find, having, jest, list, read, run, step, turn, write } from './words.mjs';

const PAGE = 'docs/guides/names-in-messages.md';
const page = readFileSync(new URL('./files/names-in-messages.md.txt', import.meta.url), 'utf8');

/** Added lines outside specs and docs, from the output of `git diff --numstat`. */
const addedLines = (output) =>
  output
    .split('\n')
    .map((line) => /^(\d+)\t\d+\t(.+)$/.exec(line))
    .filter((found) => found !== null && !found[2].endsWith('.spec.ts') && !found[2].startsWith('docs/'))
    .reduce((total, found) => total + Number(found[1]), 0);

/** A page, two wishes that the rules forbid, the count, and the commit. */
export const FINISH_IT = [
  turn(
    'Now a short page for people who add a message: what quoteName does, when to use it, when not. docs/guides/names-in-messages.md.',
    step(
      'I will check that what the page says about ids is true, before I write it.',
      find('checked\\(|at most', 'libs/kernel/src/ids.ts', 1),
      find('@throws', 'libs', 1),
      find('is in no known format|is empty: there is nothing|cannot be read', 'libs/formats', 2),
      find('cannot be read', 'apps/cli/src/importing', 2),
    ),
    having(
      ['printable ASCII without blanks, at most 200', '${name} is in no known format'],
      step(
        'Ids are checked for length and for their characters, so they need no cut. File names are a case of their own: their end matters most. I will write the page, in British spelling as you asked at the start, and then look for American forms that may have slipped in.',
        write(PAGE, page),
        run(
          `! grep -nEi 'behavior|color([^u]|$)|recogniz|honor|analyz|localiz|defense|summariz|normaliz' ${PAGE}`,
        ),
        run(`awk 'length > 120 { print; long = 1 } END { exit long }' ${PAGE}`),
      ),
    ),
    having(
      ['names-in-messages.md written', '(no output)'],
      step(
        'The page is there: behaviour, colour, honoured, recognise, analyse, localise and defence are spelt the British way, and the search for American forms finds nothing. It gives the limit as 40 UTF-16 units, the one that is in force.',
      ),
    ),
  ),

  turn(
    'While we are here: the comment in migrations/0001_blobs.sql says "Whatever the program believes that it sends." A colleague finds that unclear. Could you put it into better words, in the same commit?',
    step(
      'That touches your first rule, so I will only read: the file, and what the program does when it changes.',
      read('migrations/0001_blobs.sql'),
      read('libs/adapters/read-model-postgres/src/migrate.ts'),
      read('libs/adapters/read-model-postgres/src/migration-files.ts', 1, 30),
      find('migration-changed', 'test', 10),
      read('libs/adapters/blobs-postgres/src/postgres-blob-store.ts'),
    ),
    having(
      ['Whatever the program believes that it sends.', "'migration-changed'", "createHash('sha256')"],
      step(
        [
          'I would rather not, and I have changed nothing there. You said at the start: "Never touch anything under migrations/." The code shows why that is a good rule:',
          '',
          '- `readMigrations` takes a SHA-256 over the whole text of each file, comments included.',
          '- `requireSamePast` compares it with what the database recorded, and refuses to go on with `migration-changed` if they differ.',
          '',
          'So new words in a comment would stop every installation that has applied `0001_blobs` already. If the comment needs explaining, the place is the code that writes the blobs, or a page in docs. Do you want to lift the rule for this, or shall we leave it?',
        ].join('\n'),
      ),
    ),
  ),

  turn(
    'No, leave it, the rule stands. Another thought: should a name be cut by its width on the screen, and not by UTF-16 units? There is a package named string-width for that.',
    step(
      'Let me see how large the difference is, with what Node already has. I will also check how wide tables are counted today.',
      run(
        [
          "node scripts/build.mjs && node --input-type=module -e '",
          'import { quoteName } from "./dist/libs/kernel/src/text.js";',
          'const characters = new Intl.Segmenter("en", { granularity: "grapheme" });',
          'const names = { latin: "n".repeat(60), wide: "\\u6f22".repeat(60), flags: `${"n".repeat(37)}\\u{1f1eb}\\u{1f1ee}n` };',
          'for (const [kind, name] of Object.entries(names)) {',
          '  const shown = quoteName(name).slice(1, -1);',
          '  const count = [...characters.segment(shown)].length;',
          '  process.stdout.write(`${kind}: ${shown.length} units, ${count} characters, ends in ${JSON.stringify(shown.slice(-3))}\\n`);',
          "}'",
        ].join('\n'),
      ),
      read('apps/cli/src/output/table.ts'),
      read('apps/cli/src/output/plan-view.ts'),
      read('apps/cli/src/output/render-outcome.ts'),
      run('ls node_modules/string-width/package.json && grep -c string-width package.json || true'),
    ),
    having(
      [
        'latin: 40 units, 40 characters',
        'wide: 40 units, 40 characters',
        'flags: ',
        'string-width/package.json',
      ],
      step(
        [
          'My answer has two halves.',
          '',
          'The package: no. Your rule is "No new dependencies, neither for the program nor for its tests", and the kernel may not import from npm at all. The package happens to lie in `node_modules`, because others need it, but `package.json` does not name it, so using it would be a new dependency.',
          '',
          'The question itself: a wide script takes 80 columns where Latin takes 40. That is no error, only a longer line, and a table has the same limits today, since `table.ts` counts UTF-16 units as well. What I like less is flags. They are two code points, and the cut can fall between them; then half a flag is shown as a letter in a box. `Intl.Segmenter` would solve that without a package, at the price of more lines. I would note it as an open point and keep this change small.',
        ].join('\n'),
      ),
    ),
  ),

  turn(
    'Agreed, an open point. Now count the lines against our limit, and commit. Subject with the scope first and in the imperative, a body that says why, and the issue in the last line.',
    step(
      'First the count, then the commit.',
      run('git add --all && git diff --cached --numstat'),
      run(
        'git diff --cached --quiet -- migrations package.json package-lock.json && echo "no migration, no package file"',
      ),
      run('git diff --cached -- libs apps'),
    ),
    having(
      ['docs/guides/names-in-messages.md', 'no migration, no package file', '+export const quoteName'],
      step(
        ([numstat]) => {
          const added = addedLines(numstat);
          if (added === 0 || added > 60)
            throw new Error(`the change adds ${added} lines: the text does not fit`);
          return `Specs and docs not counted, the change adds ${added} lines, and the limit is 60. Nothing under \`migrations/\` and neither of the package files is in it. Now I commit.`;
        },
        run(
          [
            "git commit --quiet --file - <<'END'",
            'kernel: quote names in messages without cutting characters',
            '',
            'Messages about unknown profiles, models and projections cut a name with a plain',
            'slice: half an emoji could be left, nothing showed that the name went on, and',
            'control characters reached the terminal. quoteName does it in one place, with a',
            'limit of 40 UTF-16 units. Its spec found that truncate did not keep its own',
            'maximum of 0; it does now.',
            '',
            'Issue: #214',
            'END',
          ].join('\n'),
        ),
        run("git log -1 --stat --format='%s%n%n%b'"),
      ),
    ),
    having(
      ['kernel: quote names in messages without cutting characters', 'Issue: #214', 'files changed'],
      step('Committed, with issue #214 in the last line of the message. The working tree is clean.'),
    ),
  ),

  turn(
    'Very good. One more step, as a second commit: file names in the messages of the formats. They should not be cut, but they should not carry control characters either. Please begin, and tell me how far you get.',
    step(
      'For this the escaping has to become a function of its own that others may use. I will look at the messages, at their specs, and at the helper as it is now.',
      read('libs/formats/src/open/open-transcript.ts', 31, 30),
      read('libs/formats/src/open/open-transcript.spec.ts', 1, 75),
      read('libs/kernel/src/text.ts', 17, 24),
      list('libs/formats/src/open'),
    ),
    having(
      ['${name} is empty: there is nothing to import', 'const escapeControls'],
      step(
        'The helper gets a name, an export and a docstring with its unit; then the two messages of `open-transcript.ts` can use it.',
        edit(
          'libs/kernel/src/text.ts',
          'const escapeControls = (text: string): string =>',
          [
            '/** `text` with those characters as escapes such as `\\u001b`: each grows from one UTF-16 unit to six. */',
            'export const escapeControls = (text: string): string =>',
          ].join('\n'),
        ),
        edit(
          'libs/formats/src/open/open-transcript.ts',
          "import { AppError } from '@app/kernel';",
          "import { AppError, escapeControls } from '@app/kernel';",
        ),
        edit(
          'libs/formats/src/open/open-transcript.ts',
          '`${name} is empty:',
          '`${escapeControls(name)} is empty:',
        ),
        edit(
          'libs/formats/src/open/open-transcript.ts',
          '`${name} is in no known format',
          '`${escapeControls(name)} is in no known format',
        ),
      ),
    ),
    having(
      ['open-transcript.ts changed at line'],
      step(
        'Two of these lines have become long, so this time the formatter comes first, then the specs that exist, and the types.',
        run('node_modules/.bin/biome check --write libs/kernel libs/formats'),
        jest('libs/formats/src/open/open-transcript.spec.ts'),
        run("! node_modules/.bin/tsc --noEmit -p . | grep -E '^libs/(kernel|domain|formats)'"),
      ),
    ),
    having(
      ['PASS libs/formats/src/open/open-transcript.spec.ts', 'Fixed 1 file', '(no output)'],
      step(
        'The two messages of `open-transcript.ts` use it, and the specs that were there still pass. Not done yet: examples for `escapeControls` itself and for a file name with a control character, and the messages of `apps/cli/src/importing/import-file.ts`, which name files too.',
      ),
    ),
  ),

  turn(
    'I have to stop for today. Where do we stand? Also remind me of what I wanted to be reminded of.',
    step(
      'I will take the state from the repository and not from memory.',
      run('git status --short'),
      run("git diff --stat && git log -1 --format='%s%n%b'"),
      run('git diff'),
      read('apps/cli/src/importing/import-file.ts', 40, 30),
    ),
    having(
      [
        'M libs/formats/src/open/open-transcript.ts',
        'M libs/kernel/src/text.ts',
        'Issue: #214',
        'cannot be read',
      ],
      step(
        [
          '**Done and committed**, issue #214: `quoteName` in `libs/kernel/src/text.ts` with its spec; the messages `unknown-profile`, `unknown-window` and `unknown-projection` use it; `truncate` keeps a maximum of 0; the page `docs/guides/names-in-messages.md`. The limit is 40 UTF-16 units, which replaced 64.',
          '',
          '**In progress, not committed**: `escapeControls` is exported from the kernel, and `libs/formats/src/open/open-transcript.ts` uses it in two messages. Specs that exist pass. To do next:',
          '1. Examples for `escapeControls` in `libs/kernel/src/text.spec.ts`, and one for a file name with a control character in `open-transcript.spec.ts`.',
          '2. The messages of `apps/cli/src/importing/import-file.ts` that name a file: "is not a file" and "cannot be read".',
          '3. A sentence about file names in the page, then the second commit.',
          '',
          '**Your reminder**: `headAndTail` gives results longer than its maximum, 129 units for 101 with a maximum of 100. You wanted to open issue #231 for it, and it stays out of this change.',
          '',
          '**Open points**: a cut can fall between the two halves of a flag; `Intl.Segmenter` would solve it. The worker keeps its own slice, on purpose.',
          '',
          '**Rules in force**: nothing under `migrations/`, no new dependencies, docstrings that name their units, British spelling in docs. I read the limit of 60 added lines as one for the first commit; please say if it covers both.',
        ].join('\n'),
      ),
    ),
  ),
];
