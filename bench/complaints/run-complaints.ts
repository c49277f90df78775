/**
 * The ten complaints that users of compactors have most, as cases: an agent of each framework with an adapter, and one behind
 * the gateway, carries out the same work of 30 turns through more than ten compactions. Prints a table; `--publish` writes it
 * to docs/complaints.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { COMPLAINTS, verdictsOn } from '../../test/support/frameworks/complaints/complaints.js';
import { Stage } from '../../test/support/frameworks/complaints/run.js';
import { FRAMEWORKS, GATEWAY } from '../../test/support/frameworks/frameworks.js';
import { install } from '../../test/support/frameworks/install.js';

const only = process.argv.slice(2).filter((name) => !name.startsWith('-') && !name.includes('/'));
const columns = [...FRAMEWORKS, GATEWAY].filter(({ name }) => only.length === 0 || only.includes(name));
const stage = await Stage.open();

const table: { readonly title: string; readonly verdicts: readonly (string | undefined)[] }[] = [];
for (const framework of columns) {
  const installed = await install(framework);
  if (!installed) continue;
  const title = `${framework.package} ${installed.version}`;
  const verdicts = await verdictsOn(await stage.play(installed));
  table.push({ title: framework === GATEWAY ? `gateway (${title})` : title, verdicts });
  for (const [at, verdict] of verdicts.entries())
    process.stdout.write(
      `${title}: ${COMPLAINTS[at]?.name}: ${verdict === undefined ? 'no' : `YES: ${verdict}`}\n`,
    );
}

const rows = [
  ['complaint', ...table.map(({ title }) => title)],
  ['---', ...table.map(() => '---')],
  ...COMPLAINTS.map(({ name }, at) => [
    name,
    ...table.map(({ verdicts }) => (verdicts[at] === undefined ? '✓' : '✗')),
  ]),
];
const markdown = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
process.stdout.write(`\n${markdown}\n`);
const PAGE = 'docs/complaints.md';
if (process.argv.includes('--publish')) {
  const page = await readFile(PAGE, 'utf8');
  await writeFile(PAGE, page.replace(/\n\| complaint[\s\S]*?\n\n/, `\n${markdown}\n\n`));
}
await stage.close();
process.exit(table.some(({ verdicts }) => verdicts.some((verdict) => verdict !== undefined)) ? 1 : 0);
