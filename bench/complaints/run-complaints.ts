/**
 * The ten complaints that users of compactors have most, as cases: an agent of each framework with an adapter, and one behind
 * the gateway, carries out the same work of 30 turns through more than ten compactions; so does an agent with its framework's own
 * compaction. Prints two tables; `--publish` writes them to docs/complaints.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { COMPLAINTS, verdictsOn } from '../../test/support/frameworks/complaints/complaints.js';
import { OWN_COMPACTIONS, ownVerdictsOn } from '../../test/support/frameworks/complaints/own.js';
import { Stage } from '../../test/support/frameworks/complaints/run.js';
import { FRAMEWORKS, GATEWAY } from '../../test/support/frameworks/frameworks.js';
import { install } from '../../test/support/frameworks/install.js';
import { tableText } from '../../test/support/testing/table.js';

/** `undefined`: the complaint does not hold; `n/a: REASON`: it cannot be judged. */
type Column = { readonly title: string; readonly verdicts: readonly (string | undefined)[] };

const only = process.argv.slice(2).filter((name) => !name.startsWith('-') && !name.includes('/'));
const columns = [...FRAMEWORKS, GATEWAY].filter(({ name }) => only.length === 0 || only.includes(name));
const stage = await Stage.open();

const show = ({ title, verdicts }: Column): void => {
  for (const [at, verdict] of verdicts.entries())
    process.stdout.write(
      `${title}: ${COMPLAINTS[at]?.name}: ${verdict === undefined ? 'no' : verdict.startsWith('n/a') ? verdict : `YES: ${verdict}`}\n`,
    );
};

const table: Column[] = [];
const alone: Column[] = [];
for (const framework of columns) {
  const installed = await install(framework);
  if (!installed) continue;
  const title = `${framework.package} ${installed.version}`;
  if (!process.argv.includes('--own')) {
    const verdicts = await verdictsOn(await stage.play(installed));
    table.push({ title: framework === GATEWAY ? `gateway (${title})` : title, verdicts });
  }
  const own = OWN_COMPACTIONS.find(({ name }) => name === framework.name);
  if (own) {
    const verdicts = ownVerdictsOn(await stage.playAlone(installed, own), own);
    alone.push({ title: `${title}: ${own.title}`, verdicts });
  }
  for (const column of [table.at(-1), own && alone.at(-1)]) if (column) show(column);
}

const cellOf = (verdict: string | undefined): string =>
  verdict === undefined ? '✓' : verdict.startsWith('n/a') ? verdict : `✗ ${verdict}`;
const tableOf = (shown: readonly Column[], cell: (verdict: string | undefined) => string): string =>
  tableText([
    ['complaint', ...shown.map(({ title }) => title)],
    ...COMPLAINTS.map(({ name }, at) => [name, ...shown.map(({ verdicts }) => cell(verdicts[at]))]),
  ]);
const tables = [
  {
    mark: 'npm run complaints -- --publish',
    text: tableOf(table, (verdict) => (verdict ? '✗' : '✓')),
    of: table,
  },
  { mark: 'npm run complaints -- --publish --own', text: tableOf(alone, cellOf), of: alone },
].filter(({ of }) => of.length > 0);
for (const { text } of tables) process.stdout.write(`\n${text}\n`);
const PAGE = 'docs/complaints.md';
if (process.argv.includes('--publish')) {
  let page = await readFile(PAGE, 'utf8');
  for (const { mark, text } of tables) {
    const begin = `<!-- Generated table: \`${mark}\` writes it. -->\n\n`;
    const [before = '', rest = ''] = page.split(begin);
    page = `${before}${begin}${text}\n${rest.slice(rest.indexOf('\n<!-- End'))}`;
  }
  await writeFile(PAGE, page);
}
await stage.close();
process.exit(table.some(({ verdicts }) => verdicts.some((verdict) => verdict !== undefined)) ? 1 : 0);
