// Takes the screenshots of docs/guides/console.md: `node scripts/console-pictures.mjs` starts `palimpsest demo --open` in a new
// folder and opens its link in a browser. Needs chromium, or PALIMPSEST_BROWSER.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const data = await mkdtemp(join(tmpdir(), 'palimpsest-pictures-'));
const demo = spawn(process.execPath, [join(root, 'bin/palimpsest.mjs'), 'demo', '--open', '--data', data], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const link = await new Promise((resolve, reject) => {
  let text = '';
  demo.stdout.on('data', (bytes) => {
    text += bytes;
    const found = /http:\S+#\/sign-in\/\S+(?=\n)/.exec(text)?.[0];
    if (found) resolve(found);
  });
  demo.on('exit', () => reject(new Error(text)));
});

const browser = await chromium.launch({
  executablePath: process.env.PALIMPSEST_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ viewport: { width: 1100, height: 620 }, colorScheme: 'light' });
const take = async (name, height) => {
  await page.waitForSelector('.loading, [aria-busy="true"]', { state: 'detached' });
  await page.setViewportSize({ width: 1100, height });
  await page.screenshot({ path: join(root, 'docs/guides/console', `${name}.png`) });
};
await page.goto(link);
await page.waitForSelector('.sawtooth .mark');
await page.hover('.mark');
await take('occupancy', 690);
await page.click('.tabs a:has-text("Compactions")');
await page.click('tbody tr:last-child a');
await page.waitForSelector('.record');
await page.click('.record .source:has-text("message-7")');
await page.waitForSelector('article:has-text("message-7")');
await take('compaction', 760);
await page.click('.tabs a:has-text("Retention")');
await page.waitForSelector('.retention td');
await take('retention', 640);
await browser.close();
demo.kill('SIGTERM');
await new Promise((resolve) => demo.on('exit', resolve));
await rm(data, { recursive: true, force: true });
