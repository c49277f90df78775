import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer, KEY } from '../api/support/api-server.js';
import {
  axeFindings,
  describeInBrowser,
  overflowOf,
  settled,
  TestBrowser,
  type View,
} from './support/browser.js';

const SAMPLE = fileURLToPath(new URL('../../samples/agent-session.json', import.meta.url));
const SESSION = 'sample';

const VIEWS: readonly Required<Omit<View, 'height'>>[] = [
  { width: 320, theme: 'light' },
  { width: 1280, theme: 'dark' },
];

describeInBrowser('pages of the console', () => {
  let api: ApiServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    [api, browser] = await Promise.all([ApiServer.start(), TestBrowser.start()]);
    const imported = await fetch(`${api.url}/v1/imports?name=${SESSION}.json&profile=core&window=32000`, {
      method: 'POST',
      headers: { ...api.authorization, 'content-type': 'application/octet-stream' },
      body: await readFile(SAMPLE),
    });
    expect(imported.status).toBe(200);
  });
  afterAll(async () => {
    await browser.close();
    await api.stop();
  });

  describe.each(VIEWS)('at $width pixels, $theme', (view) => {
    it('have no finding of axe, no error in the console and no overflow', async () => {
      const page = await browser.open(view);
      await page.goto(`${api.url}/console/`);
      const found: Record<string, readonly unknown[]> = {};
      const check = async (name: string): Promise<void> => {
        await settled(page);
        const findings = [...(await axeFindings(page)), ...browser.troubles.splice(0)];
        const overflow = await overflowOf(page);
        found[name] = overflow > 0 ? [...findings, `${overflow} pixels too wide`] : findings;
      };
      await check('sign-in');
      await page.fill('input[name=key]', KEY);
      await page.click('button[type=submit]');
      await page.waitForSelector('.session-row a');
      await check('sessions');
      await page.click('.session-row a');
      await page.waitForSelector('.sawtooth');
      await check('occupancy');
      expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
      await browser.leave(page);
    });
  });

  it('are reached by the link that the service prints, once', async () => {
    const link = /http:\S+\/console\/#\/sign-in\/\S+/.exec(api.printed)?.[0] ?? '';
    const page = await browser.open({ width: 1000 });
    await page.goto(link);
    await page.waitForSelector('.session-row a');
    expect(page.url()).not.toContain('sign-in');
    const other = await browser.open({ width: 1000 });
    await other.goto(link);
    await other.waitForSelector('.notice-error');
    expect(await other.textContent('.notice-error')).toContain('has been used or has expired');
    browser.troubles.length = 0; // The refusal is in the browser's console.
    await browser.leave(page);
    await browser.leave(other);
  });
});
