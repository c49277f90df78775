import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { build } from 'esbuild';
import { type Installed, ROOT } from '../install.js';
import type { RealAgent } from '../real-agents.js';
import { runProgram, type SampleRun } from '../run-sample.js';
import { CALLS } from './scenario.js';

export const fileOf = (page: number): string => `page-${page}.txt`;

/** Writes the pages of the samples' report into a folder, enlarged by the factor `scale` of the agent. */
const writePages = async (folder: string, { scale = 1 }: RealAgent): Promise<void> => {
  const program = join(folder, 'report.mjs');
  await build({ entryPoints: [join(ROOT, 'samples/adapters/report.ts')], outfile: program, format: 'esm' });
  const { readPage }: { readonly readPage: (page: number) => string } = await import(program);
  for (let page = 1; page <= CALLS; page += 1) {
    const parts = Array.from({ length: scale }, (_, part) =>
      readPage(page).replaceAll(/^Page/gm, `Part ${part + 1}, page`),
    );
    await writeFile(join(folder, fileOf(page)), parts.join('\n'));
  }
};

type Started = { readonly agent: RealAgent; readonly installed: Installed; readonly window: number };

/**
 * Runs an agent of the command line with `palimpsest run`, in a folder with the pages of the report as files. Each prompt is a
 * process of its own that continues the session, and comes on standard input.
 */
export const runAgent = async (
  { agent, installed, window }: Started,
  prompts: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<SampleRun> => {
  const home = await mkdtemp(join(tmpdir(), 'palimpsest-agent-'));
  const work = join(home, 'work');
  await mkdir(work);
  await writePages(work, agent);
  const PATH = [join(installed.folder, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const options = ['--window', String(window), '--ladder', 'truncate'];
  const runs: SampleRun[] = [];
  for (const [at, prompt] of prompts.entries())
    runs.push(
      await runProgram(
        process.execPath,
        [join(ROOT, 'bin/palimpsest.mjs'), 'run', agent.run, ...options, '--', ...agent.args('-', at === 0)],
        { env: { PATH, HOME: home, ...agent.env, ...env }, cwd: work, timeout: 120_000 },
        prompt,
      ),
    );
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  return {
    stdout: runs.map(({ stdout }) => stdout).join(''),
    stderr: runs.map(({ stderr }) => stderr).join(''),
    code: Math.max(...runs.map(({ code }) => code)),
  };
};
