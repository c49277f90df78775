import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { type Installed, ROOT } from './install.js';

export type SampleRun = {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
};

/** Bundles the sample of an adapter with this tree's adapter and client, beside the packages of its framework. */
export const bundleSample = async ({ framework, folder }: Installed): Promise<string> => {
  const outfile = join(folder, 'sample.mjs');
  await build({
    entryPoints: [join(ROOT, 'samples/adapters', `${framework.name}.ts`)],
    outfile,
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20.19', logLevel: 'error' },
    plugins: [
      {
        name: 'this-tree',
        setup: ({ onResolve }) => {
          onResolve({ filter: /^@palimpsest\/client$/ }, () => ({
            path: join(ROOT, 'libs/client/src/index.ts'),
          }));
          onResolve({ filter: /^@palimpsest\/adapters\// }, ({ path }) => ({
            path: join(ROOT, 'libs/framework-adapters/src', `${path.split('/')[2]}.ts`),
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

/** Runs a bundled sample as its user does; each prompt is a turn. */
export const runSample = (
  node: string,
  program: string,
  prompts: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<SampleRun> =>
  new Promise((resolve) => {
    const options = {
      ...{ env: { PATH: process.env.PATH, ...homeBeside(program), ...env }, cwd: dirname(program) },
      timeout: 120_000,
    };
    execFile(node, [program, ...prompts], options, (error, stdout, stderr) =>
      resolve({ stdout, stderr, code: error === null ? 0 : Number(error.code ?? 1) }),
    );
  });

/** Agents of the command line keep settings and transcripts below the home folder: not in that of the developer. */
const homeBeside = (program: string) => ({
  HOME: join(dirname(program), 'home'),
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
});
