/**
 * The ten complaints that users of compactors have most, as cases: an agent of each framework with an adapter, and one behind
 * the gateway, carries out the same work of 30 turns through more than ten compactions; so does an agent with its framework's own
 * compaction. Prints two tables; `--publish` writes them to docs/complaints.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { COMPLAINTS, verdictsOn } from '../../test/support/frameworks/complaints/complaints.js';
import { OWN_COMPACTIONS, ownVerdictsOn } from '../../test/support/frameworks/complaints/own.js';
import { Stage } from '../../test/support/frameworks/complaints/run.js';
import { FRAMEWORKS, type Framework, GATEWAY } from '../../test/support/frameworks/frameworks.js';
import { install } from '../../test/support/frameworks/install.js';
import { CODEX } from '../../test/support/frameworks/real-agents.js';
import { tableText } from '../../test/support/testing/table.js';

/** `undefined`: the complaint does not hold; `n/a: REASON`: it cannot be judged. */
type Verdict = string | undefined;
type Column = { readonly title: string; readonly cells: readonly string[] };

const only = process.argv.slice(2).filter((name) => !name.startsWith('-') && !name.includes('/'));
const agents: readonly Framework[] = [...FRAMEWORKS, GATEWAY, CODEX];
const unknown = only.filter((name) => !agents.some((one) => one.name === name));
if (unknown.length > 0) throw new Error(`no columns: ${unknown.join(', ')}`);
const columns = agents.filter(({ name }) => only.length === 0 || only.includes(name));

let hasFailed = false;
let isWhole = only.length === 0;
const table: Column[] = [];
const alone: Column[] = [];
const columnOf = (
  title: string,
  verdicts: readonly Verdict[],
  cell: (verdict: Verdict) => string,
): Column => {
  for (const [at, verdict] of verdicts.entries())
    process.stdout.write(
      `${title}: ${COMPLAINTS[at]?.name}: ${verdict === undefined ? 'no' : verdict.startsWith('n/a') ? verdict : `YES: ${verdict}`}\n`,
    );
  return { title, cells: verdicts.map(cell) };
};
const ownCell = (verdict: Verdict): string =>
  verdict === undefined ? '✓' : verdict.startsWith('n/a') ? verdict : `✗ ${verdict}`;

let stage: { readonly scale: number; readonly opened: Stage } | undefined;
for (const framework of columns) {
  const { scale = 1 } = framework;
  const installed = await install(framework);
  if (!installed) {
    process.stdout.write(`${framework.package}: not installed\n`);
    hasFailed = true;
    isWhole = false;
    continue;
  }
  if (stage?.scale !== scale) {
    await stage?.opened.close();
    stage = { scale, opened: await Stage.open(scale) };
  }
  const { opened } = stage;
  const title = `${framework.package} ${installed.version}`;
  if (!process.argv.includes('--own')) {
    const played = await (framework === CODEX ? opened.playAgent(CODEX, installed) : opened.play(installed));
    const verdicts = await verdictsOn(played);
    hasFailed ||= verdicts.some((verdict) => verdict !== undefined);
    const name = framework === GATEWAY ? `gateway (${title})` : title;
    table.push(columnOf(name, verdicts, (verdict) => (verdict ? '✗' : '✓')));
  }
  const own = OWN_COMPACTIONS.find(({ name }) => name === framework.name);
  if (own) {
    const verdicts = ownVerdictsOn(await opened.playAlone(installed, own), own);
    alone.push(columnOf(`${title}: ${own.title}`, verdicts, ownCell));
  }
}
await stage?.opened.close();

/** Columns of one framework and major version take each other's place. */
const keyOf = ({ title }: Column): string => title.replace(/ (\d+)\.[\w.-]+/, ' $1');
/** Returns the columns of a table, without that of the complaints' names. */
const columnsIn = (text: string): readonly Column[] => {
  const [names = [], , ...rows] = text
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return names.slice(1).map((title, at) => ({ title, cells: rows.map((row) => row[at + 1] ?? '') }));
};
/** Returns the published columns with the new ones: those that were not run stay. */
const merged = (published: readonly Column[], shown: readonly Column[]): readonly Column[] => {
  if (isWhole) return shown;
  const stay = new Map(published.map((column) => [keyOf(column), column]));
  for (const column of shown) stay.set(keyOf(column), column);
  return [...stay.values()];
};
const tableOf = (shown: readonly Column[]): string =>
  tableText([
    ['complaint', ...shown.map(({ title }) => title)],
    ...COMPLAINTS.map(({ name }, at) => [name, ...shown.map(({ cells }) => cells[at] ?? '')]),
  ]);

const tables = [
  { mark: 'npm run complaints -- --publish', shown: table },
  { mark: 'npm run complaints -- --publish --own', shown: alone },
].filter(({ shown }) => shown.length > 0);
for (const { shown } of tables) process.stdout.write(`\n${tableOf(shown)}\n`);
const PAGE = 'docs/complaints.md';
if (process.argv.includes('--publish')) {
  let page = await readFile(PAGE, 'utf8');
  for (const { mark, shown } of tables) {
    const begin = `<!-- Generated table: \`${mark}\` writes it. -->\n\n`;
    const [before = '', rest = ''] = page.split(begin);
    const end = rest.indexOf('\n<!-- End');
    page = `${before}${begin}${tableOf(merged(columnsIn(rest.slice(0, end)), shown))}\n${rest.slice(end)}`;
  }
  await writeFile(PAGE, page);
}
process.exit(hasFailed ? 1 : 0);
