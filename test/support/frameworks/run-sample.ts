import { type ExecFileOptions, execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Framework } from './frameworks.js';
import { type Installed, ROOT } from './install.js';

export type SampleRun = {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
};

/** Changes of a bundle to the sample. Paths are relative to the root. */
export type SampleChanges = {
  /** Name of the bundle. */
  readonly name: string;
  /** Folder of modules that take the place of the adapters. */
  readonly adapters?: string;
  /** Module that takes the place of the sample's report. */
  readonly report?: string;
  /** Rewrites the source of the sample. */
  readonly edit?: (source: string) => string;
};

/** Bundles the sample of an adapter with this tree's adapter and client, beside the packages of its framework. */
export const bundleSample = async (
  { framework, folder }: Installed,
  { name, adapters = 'libs/framework-adapters/src', report, edit = unchanged }: SampleChanges = {
    name: 'sample',
  },
): Promise<string> => {
  const sample = `samples/adapters/${framework.sample ?? framework.name}.ts`;
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(ROOT, sample)],
    outfile,
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20.19', logLevel: 'error' },
    plugins: [
      {
        name: 'this-tree',
        setup: ({ onResolve, onLoad }) => {
          if (report !== undefined)
            onResolve({ filter: /^\.\/report\.js$/ }, () => ({ path: join(ROOT, report) }));
          onLoad({ filter: new RegExp(`/${sample}$`) }, async ({ path }) => ({
            contents: edit(ownScope(await readFile(path, 'utf8'), framework)),
            loader: 'ts',
          }));
          onResolve({ filter: /^@palimpsest\/client$/ }, () => ({
            path: join(ROOT, 'libs/client/src/index.ts'),
          }));
          onResolve({ filter: /^@palimpsest\/adapters\// }, ({ path }) => ({
            path: join(ROOT, adapters, `${path.split('/')[2]}.ts`),
          }));
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' ? undefined : { path, external: true },
          );
        },
      },
    ],
  });
  return outfile;
};

const unchanged = (source: string): string => source;
const ownScope = (source: string, { scope }: Framework): string =>
  scope ? source.replaceAll(scope.named, scope.own) : source;

/** Runs a bundled sample as its user does; each prompt is a turn. */
export const runSample = async (
  { framework, folder, node }: Installed,
  program: string,
  prompts: readonly string[],
  env: Readonly<Record<string, string>>,
  timeoutMs = 120_000,
): Promise<SampleRun> => {
  // Agents of the command line keep settings and transcripts there.
  const home = await mkdtemp(join(tmpdir(), 'palimpsest-framework-'));
  const whole = { PATH: process.env.PATH, HOME: home, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', ...env };
  const config = { OPENCODE_CONFIG_CONTENT: openCodeConfig(program, env.OPENAI_BASE_URL ?? '') };
  const opencode = join(folder, 'node_modules', `opencode-${platform()}-${arch()}`, 'bin/opencode');
  const runs: SampleRun[] = [];
  const ran = async (path: string, args: readonly string[], given: typeof whole, input = '') =>
    runs.push(await runProgram(path, args, { env: given, cwd: home, timeout: timeoutMs }, input));
  if (framework.name !== 'opencode') await ran(node, [program, ...prompts], whole);
  else
    for (const [at, prompt] of prompts.entries()) {
      // A title of its own, so that the model is not asked for one.
      const args = ['run', ...(at === 0 ? ['--title', 'reader'] : ['--continue'])];
      await ran(opencode, args, { ...whole, ...config }, prompt);
    }
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  return {
    stdout: runs.map(({ stdout }) => stdout).join(''),
    stderr: runs.map(({ stderr }) => stderr).join(''),
    code: Math.max(...runs.map(({ code }) => code)),
  };
};

/** Runs a program in a folder that stands for its user's home. */
export const runProgram = (
  program: string,
  args: readonly string[],
  options: ExecFileOptions,
  input: string,
): Promise<SampleRun> =>
  new Promise((resolve) => {
    const child = execFile(program, args, { ...options, encoding: 'utf8' }, (error, stdout, stderr) =>
      resolve({ stdout, stderr, code: error === null ? 0 : Number(error.code ?? 1) }),
    );
    child.stdin?.end(input);
  });

/** Settings of OpenCode with the sample as a plugin, and with no tools but its own. */
const openCodeConfig = (plugin: string, baseURL: string): string =>
  JSON.stringify({
    ...{ autoupdate: false, share: 'disabled', model: 'openai/gpt-5.1', plugin: [`file://${plugin}`] },
    agent: { build: { prompt: 'You read a report page by page.', tools: { '*': false, read_page: true } } },
    provider: {
      openai: {
        npm: '@ai-sdk/openai',
        options: { baseURL, apiKey: 'any' },
        models: { 'gpt-5.1': { limit: { context: 400_000, output: 4_000 } } },
      },
    },
  });
