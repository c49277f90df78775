import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ApiServer } from '../api/support/api-server.js';
import { describeInBrowser, overflowOf, showAs, TestBrowser } from './support/browser.js';
import { caughtUp, open, signIn } from './support/console.js';

/** Markup that would run if it became part of a page; `pwned` is set then. */
const HOSTILE = [
  '<img src=x onerror="window.pwned=1">',
  '"><script>window.pwned=2</script>',
  '</script><script>window.pwned=3</script>',
  '</style><svg onload="window.pwned=4">',
  '<iframe srcdoc="<script>parent.pwned=5</script>"></iframe>',
  '[a link](javascript:window.pwned=6) ![an image](x"onerror="window.pwned=7) <https://example.org/"onmouseover="window.pwned=8">',
  "{{constructor.constructor('window.pwned=9')()}}",
  // Texts that break a layout: longer than a line, and from right to left.
  ...['', '# ', '> ', '- '].map((mark) => `${mark}${'long'.repeat(100)}`),
  `| ${'long'.repeat(100)} | \u202e אבג |`,
].join('\n\n');
const SHORT = `<img src=x onerror="window.pwned=10">${'w'.repeat(27)}`;
/** Pixels. */
const WIDTHS = [1280, 390];

describeInBrowser('hostile texts in every field', () => {
  const session = 'hostile';
  let api: ApiServer;
  let browser: TestBrowser;
  let page: Page;
  let folder: string;
  beforeAll(async () => {
    [api, browser] = await Promise.all([ApiServer.start(), TestBrowser.start()]);
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-hostile-'));
    const at = `/v1/sessions/${session}`;
    const done = async (method: string, path: string, body: unknown): Promise<unknown> => {
      const answer = await api.call(method, path, body);
      expect([path, answer.status, answer.status < 300 ? '' : answer.body]).toEqual([
        path,
        answer.status,
        '',
      ]);
      return answer.body;
    };
    await done('POST', '/v1/sessions', {
      ...{ session, model: 'claude-opus-4-6', window: 20_000, system: HOSTILE },
      ...{ title: SHORT, agent: SHORT, project: SHORT, labels: { hostile: SHORT } },
      tools: [{ name: 'run', description: HOSTILE, input_schema: { type: 'object' } }],
    });
    const turns = Array.from({ length: 6 }, (_, turn) => [
      { role: 'user', content: `${HOSTILE}\n${'words of the user '.repeat(120)}` },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: HOSTILE },
          {
            ...{ type: 'tool_use', id: `call_${turn}`, name: 'run' },
            input: { [SHORT.repeat(4)]: HOSTILE, old_string: HOSTILE, new_string: `${HOSTILE}\nmore` },
          },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `call_${turn}`, content: HOSTILE, is_error: true }],
      },
      { role: 'assistant', content: HOSTILE },
    ]).flat();
    await done('POST', `${at}/messages`, { messages: turns, stopReason: 'end_turn' });
    await done('PUT', `${at}/holds/${'matter'.repeat(10)}`, { reason: SHORT });
    await done('PUT', `${at}/pins/p1`, { kind: 'constraint', text: HOSTILE });
    const asked = await done('POST', `${at}/compactions`, { profile: 'pivot', instructions: HOSTILE });
    await done('GET', `${at}/compactions/${Object(asked).compactionId}/outcome?timeoutSeconds=60`, undefined);
    await done('POST', `${at}/defer`, { until: 'released', reason: SHORT });
    await done('POST', '/v1/keys', { role: 'agent', label: SHORT });
    const { body } = await api.call('GET', at);
    await caughtUp(api, session, Number(Object(body).revision));
    page = await browser.open({ width: 1280 });
    await signIn(page, api);
  });
  afterAll(async () => {
    await browser.close();
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('run no script on any page, violate no policy and break no layout', async () => {
    const at = `/sessions/${session}`;
    const { body } = await api.call('GET', `/v1${at}/compactions`);
    const compaction = Object(body).items[0].compactionId;
    const { body: messages } = await api.call('GET', `/v1${at}/messages?limit=3`);
    const message = Object(messages).items[1].id;
    const places = [
      ...['/sessions', at, `${at}/context`, `${at}/context?asOf=5`, `${at}/compactions`],
      ...[`${at}/compactions/${compaction}`, `${at}/retention`, `${at}/log?at=2&text=pwned`],
      ...[`${at}/messages/${message}`, `${at}/what-if`, '/audit', '/operations', '/live'],
      `/audit?lost=${encodeURIComponent(SHORT)}&actor=${encodeURIComponent(SHORT)}`,
      `/sessions?title=${encodeURIComponent(SHORT)}`,
      `/${encodeURIComponent(SHORT)}`,
    ];
    for (const place of places) {
      await open(page, place);
      for (const closed of await page.locator('summary').all())
        await closed.click({ timeout: 1_000 }).catch(() => undefined);
      expect([place, await page.evaluate('window.pwned ?? null')]).toEqual([place, null]);
      for (const width of WIDTHS) {
        await showAs(page, { width });
        expect([place, width, await overflowOf(page)]).toEqual([place, width, 0]);
      }
    }
    await showAs(page, { width: 1280 });
    await open(page, `${at}/context`);
    await page.keyboard.press('r');
    expect(await page.textContent('pre.plain')).toContain('onerror');
    expect(browser.troubles.filter(({ says }) => !/status of 4/.test(says))).toEqual([]);
  });

  it('run no script in a shared file with content', async () => {
    await open(page, `/sessions/${session}/share`);
    await page.check('input[type=checkbox]');
    const download = page.waitForEvent('download');
    await page.click('button.primary');
    const file = join(folder, 'shared.html');
    await (await download).saveAs(file);
    const reader = await browser.open({ width: 1280 });
    await reader.goto(pathToFileURL(file).href);
    await reader.waitForSelector('.tabs');
    for (const tab of ['Context', 'Compactions', 'Log']) {
      await reader.click(`.tabs a:has-text("${tab}")`);
      await reader.waitForSelector('.loading', { state: 'detached' });
    }
    expect(await reader.evaluate('window.pwned ?? null')).toBeNull();
    await browser.leave(reader);
  });
});
