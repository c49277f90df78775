import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import type { Framework } from '../support/frameworks/frameworks.js';
import { install, ROOT } from '../support/frameworks/install.js';

const TSC = join(ROOT, 'node_modules/typescript-native/bin/tsc');

const piProgram = (scope: string): string => `
import type { ExtensionFactory } from '${scope}/pi-coding-agent';
import { palimpsest } from 'palimpsest-adapters/pi.js';
export const extension: ExtensionFactory = palimpsest({ session: 'work' });
`;

/** The packages that declare the types of extensions, and programs that name them. */
const PROGRAMS: readonly (Framework & { readonly program: string })[] = [
  {
    ...{ name: 'pi', package: '@mariozechner/pi-coding-agent' },
    install: ['@mariozechner/pi-coding-agent@0.73'],
    program: piProgram('@mariozechner'),
  },
  {
    ...{ name: 'pi-1-types', package: '@earendil-works/pi-coding-agent' },
    install: ['@earendil-works/pi-coding-agent@1'],
    program: piProgram('@earendil-works'),
  },
  {
    ...{ name: 'opencode-plugin', package: '@opencode-ai/plugin', install: ['@opencode-ai/plugin@1.18'] },
    program: `
import type { Plugin } from '@opencode-ai/plugin';
import { palimpsest } from 'palimpsest-adapters/opencode.js';
export const plugin: Plugin = palimpsest({ session: 'work' });
`,
  },
];

it.each(PROGRAMS)('has the type of an extension of $name under strict', async ({ program, ...framework }) => {
  const installed = await install(framework);
  if (!installed) return; // It has said why.
  const { folder } = installed;
  const [source, config] = [join(folder, 'annotated.ts'), join(folder, 'annotated.json')];
  const rootFrom = (path: string): string => relative(folder, join(ROOT, path));
  const paths = {
    '@palimpsest/client': [rootFrom('libs/client/src/index.ts')],
    'palimpsest-adapters/*': [rootFrom('libs/framework-adapters/src/*')],
  };
  const compilerOptions = {
    ...{ noEmit: true, skipLibCheck: true, rootDir: rootFrom('.'), paths },
    ...{ strict: true, exactOptionalPropertyTypes: true },
  };
  await writeFile(source, program);
  await writeFile(
    config,
    JSON.stringify({ extends: rootFrom('tsconfig.json'), compilerOptions, include: ['annotated.ts'] }),
  );
  const compiled = promisify(execFile)(process.execPath, [TSC, '-p', config]);
  await expect(compiled).resolves.toMatchObject({ stdout: '' });
  for (const file of [source, config]) await rm(file);
});
