// Prints the size of code and documentation, and folders of a library that import each other in a circle: `npm run metrics`.
// With `--check`, as in `npm run deps`, prints only the circles, and fails if there are any.
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const LARGEST = 10;

const filesBelow = async (folder, ending) => {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => path.endsWith(ending) && !/(?:node_modules|dist|generated)\//.test(path));
};
const textOf = (path) => readFile(join(root, path), 'utf8');
const isTest = (path) => path.endsWith('.spec.ts');

/** The app or library of a file, such as `libs/domain` or `libs/adapters/secret-box`. */
const ownerOf = (path) => /^(?:libs\/adapters\/[^/]+|(?:apps|libs)\/[^/]+)/.exec(path)?.[0];
/** The folder of a file directly below the `src` of its owner; '.' for files in `src` itself. */
const folderOf = (path) => /\/src\/([^/]+)\//.exec(path)?.[1] ?? '.';

/**
 * Returns every set of folders that import each other directly or indirectly (Tarjan's strongly connected
 * components).
 */
const circlesIn = (edges) => {
  const reach = (from, seen = new Set()) => {
    for (const to of edges.get(from) ?? []) if (!seen.has(to)) reach(to, seen.add(to));
    return seen;
  };
  const reached = new Map([...edges.keys()].map((folder) => [folder, reach(folder)]));
  const circles = new Set();
  for (const [folder, others] of reached) {
    const circle = [...others].filter((other) => reached.get(other)?.has(folder)).sort();
    if (circle.length > 1) circles.add(circle.join(' '));
  }
  return [...circles];
};

const sources = (await Promise.all(['apps', 'libs'].map((folder) => filesBelow(folder, '.ts')))).flat();
const code = await Promise.all(
  sources.filter((path) => !isTest(path)).map(async (path) => ({ path, text: await textOf(path) })),
);
const owners = new Map();
for (const { path, text } of code) {
  const owner = ownerOf(path);
  const { lines, files, edges } = owners.get(owner) ?? { lines: 0, files: 0, edges: new Map() };
  const folder = folderOf(path);
  const targets = edges.get(folder) ?? new Set();
  for (const [, specifier] of text.matchAll(/from '(\.[^']+)'/g)) {
    const target = folderOf(join(dirname(path), specifier));
    if (target !== folder && target !== '.' && folder !== '.') targets.add(target);
  }
  edges.set(folder, targets);
  owners.set(owner, { lines: lines + text.split('\n').length - 1, files: files + 1, edges });
}
const docs = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...(await filesBelow('docs', '.md')),
];
/**
 * Returns a page without its generated parts: everything below a marker, a table between two, the last column of the
 * rules page, or the line with the code of an error page.
 */
const withoutGenerated = (path, text) =>
  path === 'docs/rules.md'
    ? text.replace(/^(\|[^|]*\|[^|]*\|).*$/gm, '$1')
    : text
        .split('<!-- Generated below this line')[0]
        .replace(path.startsWith('docs/errors/') ? /^`[a-z-]+`, .*\.$/m : /$^/, '')
        .replace(/<!-- Generated table[\s\S]*?<!-- End of the generated table. -->/g, '');
/** Words contain a letter or digit, unlike table rules and bullets. */
const wordsIn = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
const pageOf = async (path) => {
  const text = await textOf(path).catch(() => '');
  const words = wordsIn(withoutGenerated(path, text));
  return { path, words, generated: wordsIn(text) - words };
};
const pages = await Promise.all(docs.map(pageOf));
const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

const circles = [...owners].flatMap(([owner, { edges }]) =>
  circlesIn(edges).map((circle) => `${owner}: ${circle}`),
);
if (process.argv.includes('--check')) {
  for (const circle of circles) process.stderr.write(`folders that import each other: ${circle}\n`);
  process.exit(circles.length > 0 ? 1 : 0);
}

const print = (line) => process.stdout.write(`${line}\n`);
print('lines   files  owner (without tests)');
for (const [owner, { lines, files }] of [...owners].sort(([, a], [, b]) => b.lines - a.lines))
  print(`${String(lines).padStart(6)} ${String(files).padStart(6)}  ${owner}`);
print(
  `${String(sum([...owners.values()].map(({ lines }) => lines))).padStart(6)} ${String(code.length).padStart(6)}  in all\n`,
);
print('Largest files:');
const sized = code.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
for (const { path, lines } of sized.sort((a, b) => b.lines - a.lines).slice(0, LARGEST))
  print(`${String(lines).padStart(6)}  ${path}`);
print('\nFolders that import each other:');
for (const circle of circles) print(`  ${circle}`);
print('\nHand-written words in docs:');
const kinds = new Map();
for (const page of pages) kinds.set(dirname(page.path), [...(kinds.get(dirname(page.path)) ?? []), page]);
for (const [folder, inIt] of kinds)
  print(`${String(sum(inIt.map(({ words }) => words))).padStart(6)}  ${folder} (${inIt.length} pages)`);
print(`${String(sum(pages.map(({ words }) => words))).padStart(6)}  in all`);
print(`${String(sum(pages.map(({ generated }) => generated))).padStart(6)}  generated besides`);
