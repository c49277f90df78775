// Builds the files of a package for `npm pack`: `node scripts/package.mjs [--clean] FOLDER`. Bundles JavaScript from the
// compiled files of `dist/` with all libraries other than the package's dependencies, emits the types of the entry and
// the files behind it, and adds the notices of bundled libraries (ADR 0001).
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';
import { EXTERNAL, JOINED } from './bundle.mjs';
import { noticesOf } from './notices.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** TypeScript's native compiler: a third of the other one's time, and a tenth for a small package. */
const TSC = join(root, 'node_modules/typescript-native/bin/tsc');

/**
 * The folder in which a package's entry finds its programs, and this tree's sources do not: tests may start the
 * tree's programs while a package is built and removed.
 */
const PROGRAMS = 'package/dist/programs';

/** By folder: the sources of the entries, below `libs/`, and of the programs that the package starts. */
const PACKAGES = {
  '.': { entries: { index: 'platform/src/engine' }, programs: {} },
  'libs/client': { entries: { index: 'client/src/index' }, programs: {} },
  'libs/embedded-event-store': {
    entries: { index: 'embedded-event-store/src/index' },
    programs: { 'event-store': 'embedded-event-store/src/main' },
  },
  'libs/embedded-postgres': {
    entries: { index: 'embedded-postgres/src/index' },
    programs: { 'postgres-supervisor': 'embedded-postgres/src/supervisor' },
  },
  'libs/framework-adapters': {
    entries: Object.fromEntries(
      [
        'index',
        'claude-agent-sdk',
        'google-adk',
        'langchain',
        'mastra',
        'openai-agents',
        'opencode',
        'pi',
        'vercel-ai',
      ].map((name) => [name, `framework-adapters/src/${name}`]),
    ),
    programs: {},
  },
  'libs/tlog': { entries: { index: 'tlog/src/index' }, programs: {} },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { clean: { type: 'boolean', default: false } },
});
const [folder = '.'] = positionals;
const { entries, programs } = PACKAGES[folder];
const target = join(root, folder, 'dist');

/** Bundles the entry and the programs of a package, and returns the bundled files. */
const bundled = async (sources, external) => {
  const { metafile } = await build({
    ...JOINED,
    sourcemap: false,
    absWorkingDir: join(root, 'dist'),
    entryPoints: Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [name, `libs/${source}.js`]),
    ),
    outdir: target,
    chunkNames: 'package/chunks/[name]-[hash]',
    external,
    metafile: true,
  });
  return Object.keys(metafile.inputs).map((path) => join(root, 'dist', path));
};

/** Emits the declarations of the entries and of every file that they import, with relative paths for `@app/…`. */
const writeTypes = async (sources, outDir) => {
  const libs = join(root, 'libs');
  const draft = await mkdtemp(join(tmpdir(), 'palimpsest-types-'));
  try {
    const compilerOptions = {
      ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
      ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, stripInternal: true, noCheck: true },
      ...{ rootDir: libs, outDir: join(draft, 'types') },
    };
    const files = sources.map((source) => join(libs, `${source}.ts`));
    const project = { extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] };
    await writeFile(join(draft, 'tsconfig.json'), JSON.stringify(project));
    // Several checkers would each infer the same types.
    await promisify(execFile)(process.execPath, [TSC, '--singleThreaded', '-p', draft]);
    const pending = sources.map((source) => join(outDir, `${source}.d.ts`));
    const written = new Set();
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      if (written.has(path)) continue;
      written.add(path);
      const emitted = await readFile(join(draft, 'types', relative(outDir, path)), 'utf8');
      const resolved = emitted.replace(
        /((?:from|import\()\s*['"])@app\/([^'"]+)(['"])/g,
        (_, before, name, after) => {
          const to = relative(dirname(path), join(outDir, name, 'src/index.js'));
          return `${before}${to.startsWith('.') ? to : `./${to}`}${after}`;
        },
      );
      for (const [, name] of resolved.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g))
        pending.push(join(dirname(path), name).replace(/\.js$/, '.d.ts'));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, resolved);
    }
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

await rm(join(target, 'package'), { recursive: true, force: true });
if (folder !== '.') await rm(target, { recursive: true, force: true });
if (!values.clean) {
  const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
  const named = ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) =>
    Object.keys(manifest[kind] ?? {}),
  );
  const external = [...new Set([...EXTERNAL, ...named, ...named.map((name) => `${name}/*`)])];
  const started = Object.entries(programs).map(([name, source]) => [`${PROGRAMS}/${name}`, source]);
  const library = Object.entries(entries).map(([name, source]) => [`package/${name}`, source]);
  const inputs = await bundled(Object.fromEntries([...library, ...started]), external);
  await writeTypes(Object.values(entries), join(target, 'package/types'));
  const notices = await noticesOf(inputs);
  if (notices !== '') await writeFile(join(target, 'package/THIRD-PARTY-NOTICES.txt'), notices);
}
