import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CliFolder } from '../support/cli.js';

const project = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const FILES = /^(?:.*\.palimpsest|copies|content\.keys)$/;

/** Commands of the guide with the output that it shows. */
const examples = async (): Promise<readonly { readonly command: string; readonly shown: string }[]> => {
  const guide = await readFile(project('docs/guides/compliance.md'), 'utf8');
  return [...guide.matchAll(/^```text\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
    block
      .split(/^\$ palimpsest /m)
      .slice(1)
      .map((one) => ({
        command: one.slice(0, one.indexOf('\n')),
        shown: one.slice(one.indexOf('\n') + 1).trim(),
      })),
  );
};
const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
const patternOf = (shown: string): RegExp =>
  new RegExp(
    `^${shown
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^]*')}$`,
  );

describe('the guide for auditors', () => {
  let folder: CliFolder;
  beforeAll(async () => {
    folder = await CliFolder.shared();
    await folder.run('import', project('samples/agent-session.json'), '--window', '32000');
  });
  afterAll(() => folder.remove());

  it('shows ten questions, and the output of every command', async () => {
    const all = await examples();
    expect(all.length).toBeGreaterThanOrEqual(10);
    for (const { command, shown } of all) {
      const words = wordsOf(command).map((word) => (FILES.test(word) ? join(folder.data, word) : word));
      const { exitCode, stdout, stderr } = await folder.attempt(...words);
      const output = (stdout + stderr).trim().replaceAll(`${folder.data}/`, '');
      expect({ command, exitCode, output }).toEqual({
        command,
        exitCode: 0,
        output: expect.stringMatching(patternOf(shown)),
      });
    }
  });
});
