import { called, ran, sectionOf, summarize } from './sessions.js';

describe('commands and errors', () => {
  const failing = ran('t1', 'npm test', 'TypeError: x is not a function\nexit code 1', true);

  it('show a command with its outcome and first error', async () =>
    expect(sectionOf(await summarize({ messages: failing }), 'Commands')).toEqual([
      '- bash: `npm test` → failed, TypeError: x is not a function',
    ]));

  it('show a failure that nothing has resolved as that', async () =>
    expect(sectionOf(await summarize({ messages: failing }), 'Errors')).toEqual([
      '- bash: `npm test` → TypeError: x is not a function (not seen resolved)',
    ]));

  it.each(['messages', 'retained'] as const)(
    'show a failure as resolved by a success in %s',
    async (where) => {
      const passing = ran('t2', 'npm test', '12 passed');
      const given =
        where === 'messages'
          ? { messages: [...failing, ...passing] }
          : { messages: failing, retained: passing };
      expect(sectionOf(await summarize(given), 'Errors').join()).toContain('(resolved later)');
    },
  );

  it('tell a failing exit status from the output alone', async () =>
    expect(
      sectionOf(await summarize({ messages: ran('t1', 'make', 'Process exited with code 2') }), 'Errors'),
    ).toHaveLength(1));

  it('do not take the content of a file for an error', async () => {
    const messages = called('t1', 'read', { path: 'errors.md' }, 'TypeError: is thrown where…');
    expect(sectionOf(await summarize({ messages }), 'Errors')).toEqual([]);
  });

  it('are all that remains of outputs that are dropped', async () => {
    const messages = [
      ...failing,
      ...ran('t2', 'cat notes', 'The secretName of service_a lives in /etc/a/b.conf here'),
    ];
    const summary = await summarize({ messages, toolOutputs: 'dropped' });
    expect(summary).toContain('TypeError: x is not a function');
    expect(summary).not.toContain('secretName');
  });
});
