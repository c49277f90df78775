/**
 * The ten complaints that users of compactors have most, as cases: an agent of each framework with an adapter, and one behind
 * the gateway, carries out the same work of 30 turns through more than ten compactions. Prints a table; `--publish` writes it
 * to docs/complaints.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { PalimpsestClient } from '@app/client';
import { startEmbedded } from '@app/deployments';
import { COMPLAINTS, verdictsOn } from '../../test/support/frameworks/complaints/complaints.js';
import { Model, play } from '../../test/support/frameworks/complaints/run.js';
import { FRAMEWORKS, GATEWAY } from '../../test/support/frameworks/frameworks.js';
import { install } from '../../test/support/frameworks/install.js';

const only = process.argv.slice(2).filter((name) => !name.startsWith('-') && !name.includes('/'));
const columns = [...FRAMEWORKS, GATEWAY].filter(({ name }) => only.length === 0 || only.includes(name));
const model = await Model.start();
const service = await startEmbedded({ PALIMPSEST_GATEWAY_OPENAI: `${model.server.url}/v1` });
const client = new PalimpsestClient({ url: service.url, apiKey: service.adminKey });
const stage = { model, client, url: service.url, apiKey: service.adminKey };

const table: { readonly title: string; readonly verdicts: readonly (string | undefined)[] }[] = [];
for (const framework of columns) {
  const installed = await install(framework);
  if (!installed) continue;
  const title = `${framework.package} ${installed.version}`;
  const verdicts = await verdictsOn(await play(installed, stage));
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
await service.stop();
await model.server.close();
process.exit(table.some(({ verdicts }) => verdicts.some((verdict) => verdict !== undefined)) ? 1 : 0);
