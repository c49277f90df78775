import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { CliFolder } from '../support/cli.js';

const project = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const SCHEMES = ['light', 'dark'] as const;

let folder: CliFolder;
let demo: string;
let readme: string;
beforeAll(async () => {
  folder = await CliFolder.shared();
  const { exitCode, stdout, stderr } = await folder.attempt('demo');
  if (exitCode !== 0) throw new Error(stderr);
  demo = stdout;
  readme = await readFile(project('README.md'), 'utf8');
});
afterAll(() => folder.remove());

/** Returns the text of the code blocks of a language. */
const blocksOf = (language: string): readonly string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)\n\`\`\`$`, 'gms'))].map(
    ([, block]) => block ?? '',
  );

/** Runs the picture script on event lines, and returns its output files. */
const drawn = async (events: string): Promise<Readonly<Record<string, string>>> => {
  const target = await mkdtemp(join(tmpdir(), 'palimpsest-picture-'));
  try {
    const script = spawn(process.execPath, [project('scripts/occupancy-picture.mjs'), target]);
    script.stdin.end(events);
    expect(await text(script.stderr)).toBe('');
    const files = SCHEMES.map(async (scheme) => [
      scheme,
      await readFile(join(target, `occupancy-${scheme}.svg`), 'utf8'),
    ]);
    return Object.fromEntries(await Promise.all(files));
  } finally {
    await rm(target, { recursive: true, force: true });
  }
};

describe('README', () => {
  it('shows the output of the demo, with `…` for omitted lines', () => {
    const shown = blocksOf('text').find((block) => block.startsWith('1. ')) ?? '';
    let rest = `\n${demo.replace(/ +$/gm, '')}\n`;
    for (const part of shown.split('\n…\n')) {
      expect(rest).toContain(`\n${part}\n`);
      rest = rest.slice(rest.indexOf(`\n${part}\n`) + part.length + 1);
    }
    expect(shown.split('\n…\n').length).toBeGreaterThan(1);
  });

  it('names commands that exist', async () => {
    const commands = [...readme.matchAll(/npx palimpsest ([a-z-]+)/g)].map(([, command]) => command ?? '');
    expect(commands).toEqual(expect.arrayContaining(['demo', 'sessions', 'context', 'serve', 'import']));
    for (const command of new Set(commands)) {
      const { exitCode, stdout } = await folder.attempt(command, '--help');
      expect({ command, exitCode, stdout }).toEqual({
        command,
        exitCode: 0,
        stdout: expect.stringContaining(`Usage: palimpsest ${command}`),
      });
    }
  });

  it('shows the occupancy of the sample session as the engine records it', async () => {
    const [[listed] = []] = await folder.lines<readonly { readonly session: string }[]>('sessions');
    const pictures = await drawn(await folder.run('events', listed?.session ?? ''));
    for (const scheme of SCHEMES) {
      expect(pictures[scheme]).toBe(await readFile(project(`docs/occupancy-${scheme}.svg`), 'utf8'));
      expect(readme).toContain(`docs/occupancy-${scheme}.svg`);
    }
  });
});
