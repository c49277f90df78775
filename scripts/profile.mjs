// Prints the CPU time of programs by layer and by function: `node scripts/profile.mjs FOLDER`, where FOLDER contains
// profiles of `PALIMPSEST_BENCH_PROFILES=FOLDER npm run bench -- http`. A layer is a library of the repository, an npm
// package, Node itself, or the garbage collector; names come from source maps. Times are self times.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const FUNCTIONS = 40;
const [folder] = process.argv.slice(2);
if (folder === undefined || !existsSync(folder)) {
  process.stderr.write('usage: node scripts/profile.mjs FOLDER (of .cpuprofile files)\n');
  process.exit(2);
}

const maps = new Map();
const mapOf = (url) => {
  if (!maps.has(url)) {
    const file = `${fileURLToPath(url)}.map`;
    maps.set(url, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined);
  }
  return maps.get(url);
};

/** Returns the source file of a frame, relative to the repository or to its package. */
const sourceOf = ({ url, lineNumber, columnNumber }) => {
  if (!url.startsWith('file:')) return url;
  const found = mapOf(url)?.findEntry(lineNumber, columnNumber);
  const path = found?.originalSource ?? relative(process.cwd(), fileURLToPath(url));
  return path.replace(/^(?:\.\.\/)+/, '').replace(/^file:\/\//, '');
};

const layerOf = (name, source) => {
  if (name.startsWith('(')) return name;
  const packageName = /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules)/.exec(source)?.[1];
  if (packageName) return packageName;
  const own = /(?:libs|apps)\/(?:adapters\/)?[^/]+/.exec(source)?.[0];
  return own ?? (source === '' || source.startsWith('node:') ? 'node' : source);
};

const add = (sums, key, value) => sums.set(key, (sums.get(key) ?? 0) + value);

const table = (sums, whole, rows) => {
  for (const [key, time] of [...sums].sort(([, a], [, b]) => b - a).slice(0, rows))
    process.stdout.write(`  ${((100 * time) / whole).toFixed(1).padStart(5)} %  ${key}\n`);
};

for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const [layers, functions] = [new Map(), new Map()];
  let busy = 0;
  samples.forEach((id, at) => {
    const frame = byId.get(id);
    const time = timeDeltas[at] ?? 0;
    if (frame.functionName === '(idle)') return;
    const source = sourceOf(frame);
    busy += time;
    add(layers, layerOf(frame.functionName, source), time);
    add(functions, `${frame.functionName || '(anonymous)'} ${source}`, time);
  });
  process.stdout.write(`\n${file}: ${Math.round(busy / 1_000)} ms of CPU\n\n`);
  table(layers, busy, FUNCTIONS);
  process.stdout.write('\n');
  table(functions, busy, FUNCTIONS);
}
