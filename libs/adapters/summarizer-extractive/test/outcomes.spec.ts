import { called, ran, sectionOf, summarize } from './sessions.js';

describe('commands and errors', () => {
  const failing = ran('t1', 'npm test', 'TypeError: x is not a function\nexit code 1', true);

  it('include a command with its outcome and first error', async () =>
    expect(sectionOf(await summarize({ messages: failing }), 'Commands')).toEqual([
      '- bash: `npm test` → failed, TypeError: x is not a function',
    ]));

  it('include an unresolved failure as open', async () =>
    expect(sectionOf(await summarize({ messages: failing }), 'Errors')).toEqual([
      '- bash: `npm test` → TypeError: x is not a function (not seen resolved)',
    ]));

  it.each(['messages', 'retained'] as const)(
    'include a failure as resolved after a success in %s',
    async (where) => {
      const passing = ran('t2', 'npm test', '12 passed');
      const given =
        where === 'messages'
          ? { messages: [...failing, ...passing] }
          : { messages: failing, retained: passing };
      expect(sectionOf(await summarize(given), 'Errors').join()).toContain('(resolved later)');
    },
  );

  it('detect a failed exit status from the output alone', async () =>
    expect(
      sectionOf(await summarize({ messages: ran('t1', 'make', 'Process exited with code 2') }), 'Errors'),
    ).toHaveLength(1));

  it('ignore errors in the content of a file', async () => {
    const messages = called('t1', 'read', { path: 'errors.md' }, 'TypeError: is thrown where…');
    expect(sectionOf(await summarize({ messages }), 'Errors')).toEqual([]);
  });

  // Holds rule 6.11.
  it.each<[command: string, output: string]>([
    ['./ponyc test.pony && ./test', 'bash: ./ponyc: No such file or directory'],
    ['make clean && make', "/bin/sh: 1: cd: can't cd to build\nmake: *** [Makefile:192: build] Error 2"],
    ['cat missing.md', 'cat: missing.md: No such file or directory'],
    ['foo', 'zsh: command not found: foo'],
    ['make 2>&1 | tail -3', 'error: no rule to make it\nProcess exited with code 0'],
    ['git push', 'rejected\n<shellId: 51 completed with exit code 128>'],
  ])('detect a failure from the end of the output: %s', async (command, output) =>
    expect(sectionOf(await summarize({ messages: ran('t1', command, output) }), 'Errors')).toHaveLength(1),
  );

  // Holds rule 6.11.
  it.each<[command: string, output: string]>([
    ['grep -rn "Error:" src', 'src/a.ts: Error: is thrown here\nsrc/b.ts: exit code 1'],
    ["cd /w && sed -n '1,9p' src/a.ts | cat", 'Error: the first word of a file'],
    ['npm test', 'Error: expected by the test\n12 passed\nProcess exited with code 0'],
  ])('ignore displayed text and output with status 0: %s', async (command, output) =>
    expect(sectionOf(await summarize({ messages: ran('t1', command, output) }), 'Errors')).toEqual([]),
  );

  it('include a rejected edit, and a later edit of the same file', async () => {
    const patch = (body: string) => ({
      _raw: `*** Begin Patch\n*** Update File: a.ts\n${body}\n*** End Patch`,
    });
    const messages = [
      ...called(
        't1',
        'str_replace_editor',
        { command: 'str_replace', path: 'b.c' },
        'ERROR:\nNo replacement was performed.',
      ),
      ...called('t2', 'apply_patch', patch('-x'), 'apply_patch verification failed: no such lines'),
      ...called('t3', 'apply_patch', patch('-y'), 'Success.'),
      ...called('t4', 'book_flight', { id: 'HAT1' }, 'Error: not enough seats'),
    ];
    expect(sectionOf(await summarize({ messages }), 'Errors')).toEqual([
      '- str_replace_editor: str_replace, b.c → ERROR: No replacement was performed. (not seen resolved)',
      expect.stringMatching(/^- apply_patch: .*no such lines \(resolved later\)$/),
      '- book_flight: HAT1 → Error: not enough seats (not seen resolved)',
    ]);
  });

  it('include the command line of a shell call', async () => {
    const messages = called('t1', 'shell', { command: ['bash', '-lc', 'npm test'] }, '12 passed');
    expect(sectionOf(await summarize({ messages }), 'Commands')).toEqual(['- shell: `npm test` → ok']);
  });

  it('are the only content of dropped outputs', async () => {
    const messages = [
      ...failing,
      ...ran('t2', 'cat notes', 'The secretName of service_a lives in /etc/a/b.conf here'),
    ];
    const summary = await summarize({ messages, toolOutputs: 'dropped' });
    expect(summary).toContain('TypeError: x is not a function');
    expect(summary).not.toContain('secretName');
  });
});
