// Bundles the verifier of proofs for browsers into one file, `dist/programs/verify.html`, which is opened from disk.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { isCurrent } from './bundle.mjs';

/** Builds the page if one of its sources is newer. */
export const bundleVerifierPage = async (root) => {
  const page = join(root, 'dist/programs/verify.html');
  const from = join(root, 'apps/verifier');
  const folders = ['apps/verifier', 'libs/proof/src', 'libs/tlog/src', 'libs/kernel/src'];
  const sources = (await Promise.all(folders.map((folder) => filesBelow(join(root, folder))))).flat();
  if (await isCurrent([page], [...sources, join(root, 'scripts/verifier-page.mjs')])) return;
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['apps/verifier/src/page.ts'],
    tsconfig: 'apps/verifier/tsconfig.json',
    alias: { 'node:crypto': join(from, 'src/node-crypto.ts') },
    // Browsers have no Node.
    define: { 'globalThis.process': 'undefined' },
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: ['es2022'],
    charset: 'utf8',
    write: false,
    logLevel: 'warning',
  });
  const script = outputFiles[0].text.replaceAll('</script', '<\\/script');
  const style = await readFile(join(from, 'page.css'), 'utf8');
  // Nothing but these two may run or be loaded, and nothing may be sent.
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; base-uri 'none'; form-action 'none'`;
  const html = (await readFile(join(from, 'index.html'), 'utf8'))
    .replace('content="policy"', () => `content="${policy}"`)
    .replace(/\s*\/\*style\*\/\s*/, () => style)
    .replace(/\s*\/\*script\*\/\s*/, () => script);
  await mkdir(join(root, 'dist/programs'), { recursive: true });
  await writeFile(page, html);
};

const hashOf = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

const filesBelow = async (dir) => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
};
