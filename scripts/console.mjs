// Bundles the console into `dist/programs/console`, which the API serves at `/console/`.
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { isCurrent } from './bundle.mjs';
import { noticesOf } from './notices.mjs';

const COPIED = ['index.html', 'icon.svg'];

/** Bundles the console if one of its sources, the client or a library is newer than the last result. */
export const bundleConsole = async (root) => {
  const folder = join(root, 'dist/programs/console');
  const from = join(root, 'apps/console');
  const outputs = ['console.js', 'console.css', 'THIRD-PARTY-NOTICES.txt', ...COPIED];
  const sources = [
    ...(await filesBelow(from)),
    ...(await filesBelow(join(root, 'libs/client/src'))),
    ...(await filesBelow(join(root, 'libs/kernel/src'))),
    ...(await filesBelow(join(root, 'libs/proof/src'))),
    ...(await filesBelow(join(root, 'libs/tlog/src'))),
    join(root, 'package-lock.json'),
    join(root, 'scripts/console.mjs'),
  ];
  const files = outputs.map((name) => join(folder, name));
  if (await isCurrent(files, sources)) return;
  await mkdir(folder, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { console: 'apps/console/src/main.tsx' },
    outdir: folder,
    tsconfig: 'apps/console/tsconfig.json',
    alias: { 'node:crypto': join(root, 'apps/verifier/src/node-crypto.ts') },
    // Browsers have no Node.
    define: { 'globalThis.process': 'undefined' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022'],
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    charset: 'utf8',
    plugins: [usedParts, lexerAlone],
  });
  await Promise.all(COPIED.map((name) => copyFile(join(from, name), join(folder, name))));
  const inputs = Object.keys(metafile.inputs).map((path) => join(root, path));
  await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), await noticesOf(inputs));
};

/** Modules of the kernel act by their exports alone: unused ones are left out. */
const usedParts = {
  name: 'used-parts',
  setup: (bundler) =>
    bundler.onResolve({ filter: /^\.\/.*\.js$/ }, ({ path, importer }) =>
      importer.includes('/libs/kernel/src/')
        ? { path: join(dirname(importer), path.replace(/\.js$/, '.ts')), sideEffects: false }
        : undefined,
    ),
};

/** Markdown becomes elements of the console: the parts of marked that write HTML are left out. */
const lexerAlone = {
  name: 'lexer-alone',
  setup: (bundler) =>
    bundler.onLoad({ filter: /\/marked\/lib\/marked\.esm\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const end = /var (\w+)=new \w+;function (\w+)\(\w+,\w+\)\{return \1\.parse\([\s\S]*$/.exec(text);
      const lexer = /[{,](\w+) as Lexer\b/.exec(end?.[0] ?? '');
      if (!lexer) throw new Error(`${path} has changed: adapt lexerAlone in scripts/console.mjs`);
      return { contents: `${text.slice(0, end.index)}export{${lexer[1]} as Lexer};` };
    }),
};

const filesBelow = async (dir) => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
};
