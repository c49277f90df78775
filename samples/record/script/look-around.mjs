import { find, having, list, read, run, step, turn } from './words.mjs';

/** The task and its rules, and a first look: nothing is changed yet. */
export const LOOK_AROUND = [
  turn(
    [
      'Hello! I would like to work on issue #214 with you: "Error messages cut long names in the middle of a character". Some of our error messages quote a name that somebody typed, and cut it with a plain slice.',
      '',
      'Some rules for this change, please keep to them until the end:',
      '- Never touch anything under migrations/.',
      '- No new dependencies, neither for the program nor for its tests.',
      '- Every public function gets a docstring that names its units.',
      '- Use British spelling in docs.',
      '- The change adds at most 60 lines, specs and docs not counted.',
      '',
      'Have a first look at the kernel, where our text helpers live, and at the tools we have. Change nothing yet.',
    ].join('\n'),
    step(
      'I will start with the kernel, the package with its scripts, and the state of the working tree.',
      list('libs/kernel'),
      read('package.json'),
      run('git status --short --branch'),
    ),
    having(
      ['libs/kernel/src/text.ts', '"fast-check"', '## main'],
      step(
        'The text helpers are in one small file. I will read it together with the one for errors.',
        read('libs/kernel/src/text.ts'),
        read('libs/kernel/src/errors.ts'),
      ),
    ),
    having(
      ['export const truncate', 'safeEnd(text, Math.max(0, max - 1))', 'never message content and never a'],
      step(
        [
          'I have noted the five rules. What I found so far:',
          '',
          '- `libs/kernel/src/text.ts` has `truncate(text, max)`. It counts UTF-16 units, marks what is missing with `…`, and uses `safeEnd`, so it does not part a surrogate pair or a combining mark from its base.',
          '- `AppError` in `libs/kernel/src/errors.ts` says what a message may hold: ids, names and numbers, never message content and never a secret.',
          '- The kernel has no dependency, and fast-check is there for property tests already, so rule two costs us nothing.',
          '',
          'So the right tool exists. The next question is who does not use it. I have changed nothing.',
        ].join('\n'),
      ),
    ),
  ),

  turn(
    'Good. Where are names cut today? I want every place, not only the ones from the issue.',
    step(
      'I will search for plain slices that start at 0, and for the callers of the helpers that already do it well.',
      find('\\.slice\\(0, ', 'libs'),
      find('\\.slice\\(0, ', 'apps'),
      find('\\b(truncate|headAndTail|safeEnd)\\('),
    ),
    having(
      [
        'there is no profile "${name.slice(0, 64)}"',
        'nobody knows the window of model "${model.slice(0, 64)}"',
        'there is no projection "${name.slice(0, 64)}"',
      ],
      step(
        'Three messages cut at 64, and the worker does something similar. I will read them where they stand.',
        read('libs/domain/src/profiles/index.ts'),
        read('libs/domain/src/budget/models.ts', 28),
        find('slice\\(0, 64\\)', 'apps/cli/src/commands/projections.command.ts', 4),
        find('slice\\(0, 64\\)', 'libs/platform/src/modules/worker.module.ts', 5),
      ),
    ),
    having(
      ["throw new AppError('unknown-profile'", "'unknown-window'", 'const worker = Actor('],
      step(
        'Before I sort them: the search also showed cuts of other sizes, and one caller that uses `truncate` already. I will read those, so that I do not call something a defect that is none.',
        read('libs/domain/src/context/call-names.ts'),
        read('apps/cli/src/output/render-context.ts'),
        find('slice\\(0, ', 'libs/formats/src/claude-code/chains.ts', 6),
        find('Actor', 'libs/kernel/src/ids.ts', 2),
      ),
    ),
    having(
      [
        'const fitting = (value: string',
        'truncate(text.replace(',
        'printable ASCII without blanks, at most 128',
      ],
      step(
        [
          'Four places use `slice(0, 64)`:',
          '',
          '1. `libs/domain/src/profiles/index.ts`, code `unknown-profile`: quotes the name from `--profile`.',
          '2. `libs/domain/src/budget/models.ts`, code `unknown-window`: quotes the name from `--model`.',
          '3. `apps/cli/src/commands/projections.command.ts`, code `unknown-projection`: quotes an argument.',
          '4. `libs/platform/src/modules/worker.module.ts`: cuts the name of the host for the id of a worker.',
          '',
          'The first three have the defect of issue #214: an emoji at position 64 is cut in half, and nobody can see that the name goes on. The fourth is different. It builds an id, every character outside printable ASCII has been replaced before the cut, and an `…` would make the id invalid. I would leave that one as it is.',
          '',
          'The other cuts are no defects: most of them cut lists or digests, `call-names.ts` and `chains.ts` make ids, and `render-context.ts` shows how it should be done, with `truncate`.',
        ].join('\n'),
      ),
    ),
  ),

  turn(
    'Agreed, the worker stays as it is. Before we design anything: show me the whole tree, so that we put the helper in the right place. And check which library may import which.',
    step(
      'I will list the repository and read the rules for imports. The next step depends on both.',
      list('.'),
    ),
    having(
      ['libs/kernel/src/text.ts', 'libs/domain/src/budget/models.ts', 'migrations/0001_blobs.sql'],
      step(
        'Now the rules, as data for dependency-cruiser.',
        find('mayImportOnly\\(|kernel-and-domain-are-pure|comment:', '.dependency-cruiser.cjs', 1),
      ),
    ),
    having(
      ['kernel-stands-alone', 'domain-on-kernel', 'They import nothing from npm or node.'],
      step(
        [
          'The three messages live in two layers: two in `libs/domain`, one in `apps/cli`. The domain may import the kernel and nothing else of ours, and neither of the two may import anything from npm or Node. So a shared helper can only live in `libs/kernel`, and `text.ts` is its natural home.',
          '',
          'This also shows that your rule "No new dependencies" and the rule `kernel-and-domain-are-pure` ask for the same thing here.',
        ].join('\n'),
      ),
    ),
  ),

  turn(
    'Then look at how our error messages are written in general. I want the new helper to fit the ones that are there. Take a wide look, please.',
    step(
      'I will search every place where an `AppError` is made, with the lines around it. This will be long.',
      find('new AppError\\(', 'libs', 3),
      find('at most', 'libs/kernel/src/ids.ts'),
    ),
    having(
      ['there is no session "${', 'matching lines in', 'at most 128', 'at most 200'],
      step((outputs) => {
        const [, lines, files] = /(\d+) matching lines in (\d+) files/.exec(outputs[0]) ?? [];
        return [
          `There are ${lines} matching lines in ${files} files, specs included. Two habits matter to us:`,
          '',
          '- A name from outside stands in double quotes: `there is no session "…"`, `there is no profile "…"`.',
          '- After a colon the message says what to do: "use one of …", "give it in tokens", "use another id".',
          '',
          'Ids of sessions and messages are quoted without a cut. That is fine, because their constructors in `ids.ts` refuse anything over 128 and 200 characters before a message can quote it. Only names without such a check need a cut: those of profiles, models and projections.',
          '',
          'I see two designs:',
          '',
          'A. Call `truncate(name, 64)` at the three places, and keep the quotes in the templates.',
          'B. Add `quoteName(name)` to the kernel: it cuts, and it puts the quotes on. The limit has one home.',
          '',
          'Both fit in a few lines. Which one do you prefer?',
        ].join('\n');
      }),
    ),
  ),
];
