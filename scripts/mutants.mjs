// Mutation test of the embedded event store: `node scripts/mutants.mjs [--all] [name…]`. Applies one mutant of
// test/contract/mutants.mjs at a time to a copy below `.mutants`, and checks that the contract suite fails.
// test/contract/README.md explains the result.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutants } from '../test/contract/mutants.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const copy = join(root, '.mutants');
const SUITE = 'test/contract/event-store';

const copyProject = () => {
  rmSync(copy, { recursive: true, force: true });
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files.split('\n').filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
};

const run = (...args) => spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });

const test = (specs) => {
  const jest = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
    '--forceExit', // A failing test leaves its servers running.
  ];
  const { status, stderr } = run(...jest, '--testTimeout=20000', ...specs.map((spec) => `${SUITE}/${spec}`));
  const failed = [...stderr.matchAll(/^ {2}● (.+)$/gm)].map(([, name]) => name);
  return { isGreen: status === 0, failed: [...new Set(failed)] };
};

const build = () => {
  const { status, stderr } = run('scripts/build.mjs');
  if (status !== 0) throw new Error(`the mutant does not compile: ${stderr}`);
};

/** Returns true if the suite fails. */
const tryMutant = ({ name, file, find, replace, specs }, all) => {
  const path = join(copy, 'libs/embedded-event-store/src', file);
  const source = readFileSync(path, 'utf8');
  if (source.split(find).length !== 2)
    throw new Error(
      `${name}: the code to change occurs ${source.split(find).length - 1} times in ${file} instead of once`,
    );
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  try {
    build();
    const { isGreen, failed } = test(all ? [''] : specs);
    console.log(
      `${isGreen ? 'SURVIVED' : 'noticed '}  ${name}${isGreen ? '' : `\n            ${failed[0]}${failed.length > 1 ? ` (and ${failed.length - 1} more)` : ''}`}`,
    );
    return !isGreen;
  } finally {
    writeFileSync(path, source);
  }
};

const { values, positionals } = parseArgs({ options: { all: { type: 'boolean' } }, allowPositionals: true });
const chosen = mutants.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
copyProject();
try {
  build();
  const unchanged = test([...new Set(chosen.flatMap(({ specs }) => specs))]);
  if (!unchanged.isGreen)
    throw new Error(`without a mutant these tests fail already: ${unchanged.failed.join('; ')}`);
  const noticed = chosen.filter((mutant) => tryMutant(mutant, values.all)).length;
  console.log(`${noticed} of ${chosen.length} noticed`);
  process.exitCode = noticed === chosen.length ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
