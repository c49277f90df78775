import { execFile } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { place } from './support/project.js';

type Run = { readonly code: number | string | null; readonly output: string };

/** As `npm run deps` runs it: the rules stand in `.dependency-cruiser.cjs`. */
const cruise = (): Promise<Run> =>
  new Promise((resolve) => {
    const program = place('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'err-long', 'apps', 'libs'];
    execFile(process.execPath, [program, ...args], { cwd: place('.') }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? null) : 0, output: `${stdout}${stderr}` }),
    );
  });

it('lets nobody import what is not theirs to import', async () => {
  const { code, output } = await cruise();
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('no dependency violations') });
});
