import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiServer, KEY } from '../api/support/api-server.js';
import {
  axeFindings,
  describeInBrowser,
  gridDifference,
  gridOf,
  injectAxe,
  overflowOf,
  settled,
  showAs,
  TestBrowser,
  type View,
} from './support/browser.js';
import { eraseAndHold, importSample, open } from './support/console.js';

const BUNDLE = fileURLToPath(new URL('../../dist/programs/console/console.js', import.meta.url));
/** Grids of the committed pictures; `UPDATE_CONSOLE_PICTURES=1 npm test -- console/pages` writes them. */
const PICTURES = fileURLToPath(new URL('pictures.json', import.meta.url));
const IS_UPDATE = process.env.UPDATE_CONSOLE_PICTURES === '1';
/** Mean difference to a committed picture in levels of brightness: times, sizes and fonts differ by less. */
const DIFFERENCE_MAX = 0.25;
/** Places whose pictures depend on the time that the import takes. */
const CHANGING: ReadonlySet<string> = new Set(['occupancy over time']);
/** Bytes of all scripts, compressed. */
const SCRIPT_MAX = 100_000;

const VIEWS = [
  { width: 320, theme: 'light' },
  { width: 1280, theme: 'light' },
  { width: 320, theme: 'dark' },
  { width: 1280, theme: 'dark' },
] as const satisfies readonly View[];

it('is a script of 100 kB at most, compressed', async () => {
  expect(gzipSync(await readFile(BUNDLE), { level: 9 }).length).toBeLessThanOrEqual(SCRIPT_MAX);
});

describeInBrowser('pages of the console', () => {
  let api: ApiServer;
  let browser: TestBrowser;
  let places: Readonly<Record<string, string>>;
  beforeAll(async () => {
    [api, browser] = await Promise.all([ApiServer.start(), TestBrowser.start()]);
    const session = await importSample(api);
    await api.call('POST', '/v1/sessions', { session: 'empty', model: 'claude-opus-4-6' });
    await eraseAndHold(api);
    const { body } = await api.call('GET', `/v1/sessions/${session}/compactions`);
    const [newest] = Object(body).items;
    const at = `/sessions/${session}`;
    places = {
      sessions: '/sessions',
      'no session matches': '/sessions?agent=nobody',
      occupancy: at,
      'occupancy over time': `${at}?axis=time`,
      'a part of the occupancy': `${at}?from=40&to=60`,
      context: `${at}/context?asOf=44`,
      compactions: `${at}/compactions`,
      compaction: `${at}/compactions/${newest.compactionId}`,
      retention: `${at}/retention`,
      log: `${at}/log?at=12&text=helper`,
      message: `${at}/messages/message-7`,
      'what-if': `${at}/what-if`,
      proof: `${at}/proof`,
      share: `${at}/share`,
      'an empty session': '/sessions/empty',
      'no compaction': '/sessions/empty/compactions',
      'no session': '/sessions/missing',
      live: '/live',
      audit: '/audit?by=type',
      'a refused filter': '/audit?since=yesterday',
      usage: '/audit/usage',
      'an erased message': '/sessions/erased/messages/hers',
      'an erased session': '/sessions/erased/context',
      'a held session': '/sessions/held',
      erasures: '/audit/erasures',
      holds: '/audit/holds',
      operations: '/operations',
      'not found': '/nowhere',
    };
  });
  afterAll(async () => {
    await browser.close();
    await api.stop();
  });

  it('have no finding of axe, no error in the console, no overflow and the committed picture, at any width and theme', async () => {
    const page = await browser.open(VIEWS[0]);
    const painter = await browser.open(VIEWS[0]);
    const committed: Readonly<Record<string, string>> = JSON.parse(
      await readFile(PICTURES, 'utf8').catch(() => '{}'),
    );
    const pictures: Record<string, string> = {};
    const found: string[] = [];
    const check = async (name: string): Promise<void> => {
      await settled(page);
      for (const view of VIEWS) {
        await showAs(page, view);
        const overflow = await overflowOf(page);
        const picture = `${name}, ${view.width} ${view.theme}`;
        const grid = CHANGING.has(name) ? undefined : await gridOf(page, painter);
        if (grid !== undefined) pictures[picture] = grid;
        const difference = grid === undefined || IS_UPDATE ? 0 : gridDifference(grid, committed[picture]);
        const findings = [
          ...(difference > DIFFERENCE_MAX
            ? [`differs from its picture by ${difference.toFixed(2)} levels`]
            : []),
          ...(await axeFindings(page)),
          ...(overflow > 0 ? [`${overflow} pixels too wide`] : []),
          // A refusal of the API is an answer: the browser reports it, too.
          ...browser.troubles
            .splice(0)
            .flatMap(({ says }) => (/status of (400|404)/.test(says) ? [] : [says])),
        ];
        found.push(...findings.map((finding) => `${name}, ${view.width} ${view.theme}: ${finding}`));
      }
    };
    await page.goto(`${api.url}/console/`);
    await injectAxe(page);
    await check('sign-in');
    await page.fill('input[name=key]', KEY);
    await page.click('button[type=submit]');
    await page.waitForSelector('.top');
    for (const [name, place] of Object.entries(places)) {
      await open(page, place);
      await check(name);
    }
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
    await check('keys');
    expect(found).toEqual([]);
    if (IS_UPDATE) await writeFile(PICTURES, `${JSON.stringify(pictures, null, 2)}\n`);
  });
});
