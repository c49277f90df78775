import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from '../api/support/api-server.js';
import {
  axeFindings,
  describeInBrowser,
  overflowOf,
  settled,
  TestBrowser,
  type View,
} from './support/browser.js';
import { importSample, open, signIn } from './support/console.js';

const BUNDLE = fileURLToPath(new URL('../../dist/programs/console/console.js', import.meta.url));
/** Bytes of all scripts, compressed. */
const SCRIPT_MAX = 100_000;

const VIEWS: readonly Required<Omit<View, 'height'>>[] = [
  { width: 320, theme: 'light' },
  { width: 1280, theme: 'light' },
  { width: 320, theme: 'dark' },
  { width: 1280, theme: 'dark' },
];

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
    const { body } = await api.call('GET', `/v1/sessions/${session}/compactions`);
    const [newest] = Object(body).items;
    const at = `/sessions/${session}`;
    places = {
      sessions: '/sessions',
      'no session matches': '/sessions?agent=nobody',
      occupancy: at,
      'a part of the occupancy': `${at}?from=40&to=60`,
      context: `${at}/context?asOf=44`,
      compactions: `${at}/compactions`,
      compaction: `${at}/compactions/${newest.compactionId}`,
      retention: `${at}/retention`,
      log: `${at}/log?at=12&text=helper`,
      message: `${at}/messages/message-7`,
      'what-if': `${at}/what-if`,
      share: `${at}/share`,
      'an empty session': '/sessions/empty',
      'no compaction': '/sessions/empty/compactions',
      'no session': '/sessions/missing',
      live: '/live',
      audit: '/audit?by=type',
      'a refused filter': '/audit?since=yesterday',
      usage: '/audit/usage',
      operations: '/operations',
      'not found': '/nowhere',
    };
  });
  afterAll(async () => {
    await browser.close();
    await api.stop();
  });

  describe.each(VIEWS)('at $width pixels, $theme', (view) => {
    it('have no finding of axe, no error in the console and no overflow', async () => {
      const page = await browser.open(view);
      const found: Record<string, readonly unknown[]> = {};
      const check = async (name: string): Promise<void> => {
        await settled(page);
        // A refusal of the API is an answer: the browser reports it, too.
        const troubles = browser.troubles.splice(0).filter(({ says }) => !/status of (400|404)/.test(says));
        const overflow = await overflowOf(page);
        const findings = [...(await axeFindings(page)), ...troubles];
        found[name] = overflow > 0 ? [...findings, `${overflow} pixels too wide`] : findings;
      };
      await page.goto(`${api.url}/console/`);
      await check('sign-in');
      await signIn(page, api);
      for (const [name, place] of Object.entries(places)) {
        await open(page, place);
        await check(name);
      }
      await page.keyboard.press('?');
      await page.waitForSelector('dialog[open]');
      await check('keys');
      expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
      await browser.leave(page);
    });
  });
});
