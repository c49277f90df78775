import { afterFailure, edit, find, having, jest, read, run, step, turn } from './words.mjs';

const TEXT = 'libs/kernel/src/text.ts';
const SPEC = 'libs/kernel/src/text.spec.ts';
const KERNEL_STYLE = run('node_modules/.bin/biome check libs/kernel');

/** Characters that a terminal obeys: the question, the change, and a rule of the linter in between. */
export const HARDEN_IT = [
  turn(
    'A colleague asks what happens when a name holds characters that a terminal obeys, such as an escape sequence or a line break. Do our messages pass them on?',
    step(
      'I will read the code that prints errors, look for other places that clean text, and try it with a real name.',
      read('apps/cli/src/output/report-error.ts'),
      read('apps/cli/src/program.ts'),
      read('apps/cli/src/output/csv.ts'),
      read('apps/cli/src/options.ts'),
      find('\\\\x1b|\\\\u001b|\\\\p\\{Cc\\}|replace\\(/\\\\s|\\\\x7e', 'libs'),
      find('replace(All)?\\(', 'apps'),
      run(
        [
          "node scripts/build.mjs && node --input-type=module -e '",
          'import { profileNamed } from "./dist/libs/domain/src/profiles/index.js";',
          'for (const name of ["\\u001b[31mred", "two\\nlines", "\\u202ereversed"]) {',
          '  try { profileNamed(name); } catch ({ message }) { console.log(JSON.stringify(message).replace(/[^ -~]/g, (it) => "\\\\u" + it.charCodeAt(0).toString(16))); }',
          "}'",
        ].join('\n'),
      ),
    ),
    having(
      ['line.replace(', '\\u001b[31mred', 'two\\nlines', '\\u202ereversed'],
      step(
        'They pass them on. I want to know where such a name can come from, and where else messages go, before I say how much it matters.',
        find('--profile|--model', 'apps'),
        read('apps/cli/src/importing/import-file.ts', 1, 45),
        read('libs/application/src/importing/import-transcript.ts', 85, 40),
        read('libs/platform/src/log-problem.ts'),
      ),
    ),
    having(
      ['UNKNOWN_MODEL', 'session.model'],
      step(
        [
          'Yes, they do. Three things come out of this:',
          '',
          '- `report-error.ts` replaces line breaks when it prints, and nothing else. An escape sequence reaches the terminal as it is, so a name could colour or erase what stands on the screen.',
          '- The message of the error itself still holds the line break. Our own `log-problem.ts` is safe, since it writes JSON; anybody else who logs the message gets two lines out of one.',
          '- U+202E turns the direction of everything behind it, and nothing takes it out either.',
          '',
          'Names of profiles and models come from the command line and from transcripts, and a transcript may come from a stranger. The two profiles of today assume a window rather than refuse a model, but an own profile may refuse. So I would call this a real, if small, weakness. `quoteName` is the right place for it: it is where a name becomes part of a message.',
        ].join('\n'),
      ),
    ),
  ),

  turn(
    'Then do it in quoteName: show control characters as escapes, and the ones that turn the direction too. Cut after that, so that the limit stays the limit.',
    step(
      'Escaped first, cut afterwards. The spec gets examples and a property.',
      edit(
        TEXT,
        'export const quoteName = (name: string): string => `"${truncate(name, NAME_MAX)}"`;',
        [
          'export const quoteName = (name: string): string => `"${truncate(escapeControls(name), NAME_MAX)}"`;',
          '',
          '/** Characters that a terminal obeys rather than shows, and those that turn the direction of writing. */',
          'const CONTROLS = /[\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]/g;',
          'const escapeControls = (text: string): string =>',
          "  text.replace(CONTROLS, (it) => `\\\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`);",
        ].join('\n'),
      ),
      edit(
        SPEC,
        "  it('is not cut inside an emoji', () =>",
        [
          "  it('shows what a terminal would obey', () => {",
          "    expect(quoteName('\\u001b[31mred')).toBe('\"\\\\u001b[31mred\"');",
          "    expect(quoteName('two\\nlines')).toBe('\"two\\\\u000alines\"');",
          "    expect(quoteName('\\u202ereversed')).toBe('\"\\\\u202ereversed\"');",
          '  });',
          '',
          "  it('is one line of at most 42 units, quotes included, whatever it holds', () =>",
          '    fc.assert(',
          "      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {",
          '        expect(quoteName(name).length).toBeLessThanOrEqual(42);',
          '        expect(quoteName(name)).not.toMatch(/\\p{Cc}/u);',
          '      }),',
          '      SEED,',
          '    ));',
          '',
          "  it('is not cut inside an emoji', () =>",
        ].join('\n'),
      ),
      jest(SPEC),
      KERNEL_STYLE,
    ),
    afterFailure(
      ['10 passed, 0 failed', 'lint/suspicious/noControlCharactersInRegex', 'exit code 1'],
      step(
        'The ten tests pass, but the linter refuses control characters inside a regular expression, and it has a point: such ranges are easy to get wrong. Unicode has a name for the whole class, so I will use that.',
        edit(
          TEXT,
          'const CONTROLS = /[\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]/g;',
          'const CONTROLS = /[\\p{Cc}\\u202a-\\u202e\\u2066-\\u2069]/gu;',
        ),
        jest(SPEC),
        KERNEL_STYLE,
        read(TEXT),
      ),
    ),
    having(
      ['10 passed, 0 failed', 'No fixes applied', '[\\p{Cc}'],
      step(
        'Both are content now. `\\p{Cc}` is the class of control characters, so nobody has to check ranges by hand. Since the cut comes after the escapes, an escape can itself be cut at the end, as in `\\u00…`; that is ugly but harmless, because what is left is plain text.',
      ),
    ),
  ),

  turn(
    'Fine with me. Now run everything that this change could have broken, not only our own two specs.',
    step(
      'The formats read transcripts and quote names as well, so their specs belong to it, besides types, style and import rules.',
      jest('libs/kernel/src/text.spec.ts'),
      jest('libs/domain/src/profiles/names-in-messages.spec.ts'),
      jest('libs/formats/src/open/open-transcript.spec.ts --verbose'),
      jest('libs/formats/src/claude-code/read.spec.ts --verbose'),
      jest('libs/formats/src/openai-messages/read.spec.ts --verbose'),
      jest('libs/formats/src/anthropic-messages/read.spec.ts --verbose'),
      jest('libs/formats/src/pi/read.spec.ts --verbose'),
    ),
    having(
      ['10 passed, 0 failed', '6 passed, 0 failed', 'PASS libs/formats/src/claude-code/read.spec.ts'],
      step(
        'All green. Now the checks that need no test.',
        run('node_modules/.bin/biome check libs/kernel libs/domain libs/formats'),
        run(
          'node_modules/.bin/depcruise --config .dependency-cruiser.cjs libs/kernel libs/domain libs/formats',
        ),
        run("! node_modules/.bin/tsc --noEmit -p . | grep -E '^libs/(kernel|domain|formats)'"),
        run('git diff -- libs/kernel libs/domain'),
      ),
    ),
    afterFailure(
      ['Formatter would have printed', 'names-in-messages.spec.ts format', 'no dependency violations found'],
      step(
        'Types and import rules are fine. The style is not: I wrote one line of our own spec longer than 110 characters, and I had checked the style of the kernel only. The formatter can mend that itself; then the spec and the check once more.',
        run('node_modules/.bin/biome check --write libs/domain/src/profiles'),
        run('node_modules/.bin/biome check libs/kernel libs/domain libs/formats'),
        jest('libs/domain/src/profiles/names-in-messages.spec.ts'),
      ),
    ),
    having(
      ['Fixed 1 file', 'No fixes applied', '6 passed, 0 failed'],
      step(
        'Everything that the change can reach is green: our two specs, five specs of the formats, style, import rules and types. I did not start the suites that need servers: when I searched the repository for the two messages, none of them came up.',
      ),
    ),
  ),
];
