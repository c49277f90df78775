import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ApiServer, KEY } from '../api/support/api-server.js';
import { describeInBrowser, settled, TestBrowser } from './support/browser.js';
import { caughtUp, eraseAndHold, importSample, open, signIn } from './support/console.js';

const PROGRAM = fileURLToPath(new URL('../../bin/palimpsest.mjs', import.meta.url));
/** Marks of the table in the guide. */
const [TABLE_BEGINS, TABLE_ENDS] = [
  '<!-- Generated table: `UPDATE_CONSOLE_PAGE=1 npm test -- journeys` writes it. -->',
  '<!-- End of the generated table. -->',
] as const;
const GUIDE = fileURLToPath(new URL('../../docs/guides/console.md', import.meta.url));

/** Clicks, fields and keys of each journey, from the page where it begins. */
const interactions = new Map<string, { readonly from: string; readonly used: number }>();

/** The hands of a user: each call is one interaction. */
class Hands {
  private used = 0;

  constructor(
    private readonly name: string,
    private readonly from: string,
    readonly page: Page,
  ) {
    interactions.set(name, { from, used: 0 });
  }

  async click(what: string): Promise<void> {
    this.count();
    await this.page.click(what);
  }

  async type(what: string, text: string): Promise<void> {
    this.count();
    await this.page.fill(what, text);
    await this.page.press(what, 'Enter');
  }

  async press(key: string): Promise<void> {
    this.count();
    await this.page.keyboard.press(key);
  }

  count(): void {
    this.used += 1;
    interactions.set(this.name, { from: this.from, used: this.used });
  }
}

const says = async (page: Page, what: string): Promise<string> => {
  await page.waitForSelector(what);
  return (await page.textContent(what)) ?? '';
};

/** The horizontal places of the slider's thumb, which is 16 pixels wide, and of the crosshair. */
const THUMB_AND_CROSSHAIR = `(() => {
  const slider = document.querySelector('.slider');
  const { left, width } = slider.getBoundingClientRect();
  const share = (slider.value - slider.min) / (slider.max - slider.min);
  return [left + 8 + share * (width - 16), document.querySelector('.crosshair').getBoundingClientRect().left];
})()`;

describeInBrowser('journeys', () => {
  let api: ApiServer;
  let browser: TestBrowser;
  let session: string;
  let page: Page;
  let folder: string;
  beforeAll(async () => {
    [api, browser] = await Promise.all([ApiServer.start(), TestBrowser.start()]);
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-console-'));
    session = await importSample(api);
    page = await browser.open({ width: 1280 });
    await signIn(page, api);
  });
  afterAll(async () => {
    await browser.close();
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('sign in by the link that the service prints, once', async () => {
    const link = /http:\S+\/console\/#\/sign-in\/\S+/.exec(api.printed)?.[0] ?? '';
    const guest = await browser.open({ width: 1000 });
    const hands = new Hands('Sign in by the printed link', 'a terminal', guest);
    hands.count();
    await guest.goto(link);
    await guest.waitForSelector('.sessions td a');
    expect(guest.url()).not.toContain('sign-in');
    const [cookie] = await guest.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    const other = await browser.open({ width: 1000 });
    await other.goto(link);
    const refusal =
      'has been used or has expired: paste an API key, or restart `palimpsest serve` for a new link';
    expect(await says(other, '.notice-error')).toContain(refusal);
    // A restarted service does not know the code.
    await other.goto(`${api.url}/console/#/sign-in/of-an-earlier-process`);
    await other.waitForSelector('.notice-error');
    await other.fill('input[name=key]', KEY);
    await other.click('button[type=submit]');
    await other.waitForSelector('.sessions td a');
    await browser.leave(other);
    await browser.leave(guest);
  });

  it('import a session by dropping a file', async () => {
    const hands = new Hands('Import a session by dropping a file', 'Sessions', page);
    await open(page, '/sessions');
    const lines = [
      { role: 'user', content: 'Where is the parser?' },
      { role: 'assistant', content: 'In src/parser.ts.' },
    ];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    hands.count();
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(text)}], 'dropped.jsonl'));
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    await page.waitForURL(/#\/sessions\/dropped/);
    expect(await says(page, '.lead:has-text("2 messages")')).toContain('an unknown model');
    // Its messages have no times.
    await page.click('button:has-text("Over time")');
    await page.waitForSelector('.notice:has-text("may have no times")');
  });

  it('why did it forget X: word, message, its life, the compaction, the reason', async () => {
    const hands = new Hands(
      'Why did it forget X? (a word, its message, its life, the compaction, the reason)',
      'the session',
      page,
    );
    await open(page, `/sessions/${session}`);
    await hands.click('.tabs a:has-text("Log")');
    await hands.type('input[type=search]', 'docstring that names its units');
    await hands.click('.matches a');
    expect(await says(page, 'section[aria-label^="Message"] strong')).toContain('A summary stands for it');
    await hands.click('.life a[href*="compactions"]');
    expect(await says(page, '.facts')).toContain('the trigger is at 25,600');
    expect(await says(page, '.losses')).toContain('Lost by name');
    expect(
      interactions.get('Why did it forget X? (a word, its message, its life, the compaction, the reason)')
        ?.used,
    ).toBeLessThanOrEqual(5);
  });

  it('see the context as of a point of the sawtooth, and step through it with arrow keys', async () => {
    const hands = new Hands('See the context before the first compaction', 'the session', page);
    await open(page, `/sessions/${session}`);
    await page.hover('.plot');
    // Elements above the drawing must not hide it.
    expect(await page.evaluate("getComputedStyle(document.querySelector('.plot')).backgroundColor")).toBe(
      'rgba(0, 0, 0, 0)',
    );
    await hands.click('.mark');
    await page.waitForURL(/asOf=44/);
    expect(await says(page, '.messages')).toContain('summary of a compaction');
    await hands.press('ArrowLeft');
    await page.waitForURL(/asOf=43/);
    await page.waitForSelector('.messages:not(:has-text("summary of a compaction"))');
  });

  it('read raw JSON with one key', async () => {
    const hands = new Hands('Read the raw JSON of a context', 'Context', page);
    await open(page, `/sessions/${session}/context?asOf=10`);
    await hands.press('r');
    await page.waitForSelector('pre.plain:has-text("max_tokens")');
    await page.keyboard.press('r');
  });

  it('check a sent request byte by byte', async () => {
    const { body } = await api.call('POST', `/v1/sessions/${session}/compose`, { format: 'anthropic' });
    const revision = Number(Object(body).revision) + 1;
    const hands = new Hands('Check that a sent request is rebuilt byte by byte', 'Context', page);
    await open(page, `/sessions/${session}/context?asOf=${revision}`);
    await hands.click('a:has-text("Check this request")');
    expect(await says(page, '.good')).toContain('has the SHA-256 that was recorded');
  });

  it('follow a claim of the summary to its source', async () => {
    const hands = new Hands('Follow a line of a summary to its message', 'Compactions', page);
    await open(page, `/sessions/${session}/compactions`);
    await hands.click('tbody tr:last-child a');
    await hands.click('.record .source:has-text("message-7")');
    await page.waitForSelector('article:has-text("message-7")');
  });

  it('a live compaction appears without a reload, and a revert brings the earlier context back', async () => {
    interactions.set('See a compaction appear while it happens', { from: 'the session', used: 0 });
    await open(page, `/sessions/${session}`);
    const before = await page.locator('.marks-table tbody tr').count();
    await api.call('POST', `/v1/sessions/${session}/compactions`, { profile: 'pivot' });
    await page.waitForSelector(`.marks-table tbody tr:nth-child(${before + 1})`);

    const hands = new Hands('Revert the newest compaction and see the earlier context', 'the session', page);
    await hands.click('.tabs a:has-text("What if")');
    await hands.click('button:has-text("Revert the newest")');
    await page.fill('dialog input', 'The summary lacks a name.');
    hands.count();
    await hands.click('dialog button.primary');
    await page.waitForSelector('[role=status]:has-text("Reverted")');
    await hands.click('.tabs a:has-text("Context")');
    await page.waitForSelector('.messages');
  });

  it('new events of a customer appear in the log and the sawtooth without a reload, after a broken stream, too', async () => {
    const append = async (first: number, count: number): Promise<void> => {
      const messages = Array.from({ length: count }, (_, at) => ({
        role: (first + at) % 2 === 0 ? 'user' : 'assistant',
        content: `Line ${first + at} of the minutes.`,
      }));
      expect((await api.call('POST', '/v1/sessions/growing/messages', { messages })).status).toBe(200);
    };
    await api.call('POST', '/v1/sessions', {
      ...{ session: 'growing', model: 'claude-opus-4-6', labels: { customer: 'acme' }, parent: session },
    });
    await append(0, 150);
    let connections = 0;
    await page.route('**/v1/stream?*', async (route) => {
      connections += 1;
      if (connections === 1) await route.fulfill({ contentType: 'text/event-stream', body: ': begins\n\n' });
      else await route.continue();
    });
    const reconnected = page.waitForResponse(
      (response) => response.url().includes('/v1/stream?') && connections > 1,
    );
    await open(page, '/sessions/growing/log');
    await page.waitForSelector('.log-row:has-text("Line 3 of")');
    await reconnected;
    await append(150, 1);
    await page.waitForSelector('.lead:has-text("152 in all")');
    await page.waitForSelector('.log-row:has-text("Line 3 of")');
    await page.evaluate('document.querySelector(".log-list").scrollTop = 1e6');
    await page.waitForSelector('.log-row:has-text("Line 150 of")');
    await page.unroute('**/v1/stream?*');
    await open(page, '/sessions/growing');
    expect(await says(page, '.lead a')).toBe(session);
    await page.waitForSelector('.detail a:has-text("revision 151")');
    await append(151, 1);
    await page.waitForSelector('.detail a:has-text("revision 152")');
  });

  it('a summary that only its provider can read says so', async () => {
    const said = (role: string, text: string) => ({
      type: 'message',
      role,
      content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
    });
    const lines = [
      { type: 'session_meta', payload: { id: 'sealed', cwd: '/', originator: 'codex' } },
      { type: 'response_item', payload: said('user', 'Rename the parser.') },
      { type: 'response_item', payload: said('assistant', 'It is renamed in four files. '.repeat(40)) },
      {
        type: 'compacted',
        payload: {
          message: '',
          replacement_history: [
            said('user', 'Rename the parser.'),
            { type: 'compaction', encrypted_content: 'c2VjcmV0' },
          ],
        },
      },
      { type: 'response_item', payload: said('assistant', 'Done.') },
    ];
    const imported = await fetch(`${api.url}/v1/imports?name=sealed.jsonl`, {
      method: 'POST',
      headers: { ...api.authorization, 'content-type': 'application/octet-stream' },
      body: lines
        .map((line) => JSON.stringify({ timestamp: '2026-01-02T08:00:00.000Z', ...line }))
        .join('\n'),
    });
    expect(Object(await imported.json()).sessions).toMatchObject([{ session: 'sealed', compactions: 1 }]);
    const { body } = await api.call('GET', '/v1/sessions/sealed');
    await caughtUp(api, 'sealed', Number(Object(body).revision));
    await open(page, '/sessions/sealed');
    await page.waitForSelector('.detail:has-text("The summary is encrypted: only openai can read it")');
    await page.waitForSelector('.marks-table td:has-text("at least")');
    await page.click('.marks-table a:has-text("Compaction by the agent")');
    await page.waitForSelector('h2:has-text("▽ Compaction by the agent")');
    expect(await says(page, 'section[aria-label=Summary] .notice')).toContain('Encrypted. Only openai');
  });

  it('dialogs are used by keyboard alone: they keep the focus, and return it when they close', async () => {
    const state = (): Promise<string> =>
      page.evaluate(`(() => {
        const { activeElement: at, body } = document;
        return at === body ? 'no element' : at.closest('dialog') ? 'the dialog' : at.textContent.trim();
      })()`);
    for (const [place, openers] of [
      [`/sessions/${session}/what-if`, ['Compact now', 'Pin a text', 'Reset', 'Keys']],
      ['/operations', ['Issue a key', 'Revoke']],
    ] as const) {
      await open(page, place);
      for (const opener of openers)
        for (const closer of ['Escape', 'Enter']) {
          const button = page.locator(`button:has-text("${opener}")`).first();
          await button.focus();
          const name = await state();
          expect(name).toContain(opener);
          await page.keyboard.press('Enter');
          await page.waitForSelector('dialog[open]');
          for (let tabs = 0; tabs < 8; tabs += 1) {
            expect([opener, await state()]).toEqual([
              opener,
              expect.stringMatching(/^(the dialog|no element)$/),
            ]);
            await page.keyboard.press('Tab');
          }
          if (closer === 'Enter') await page.focus('dialog button[type=button]:last-of-type');
          await page.keyboard.press(closer);
          await page.waitForSelector('dialog', { state: 'detached' });
          expect([opener, closer, await state()]).toEqual([opener, closer, name]);
        }
    }
  });

  it('the log is one tab stop, and arrow keys choose its events', async () => {
    await open(page, `/sessions/${session}/log`);
    await page.focus('.log-row [aria-current]');
    for (const [key, at] of [
      ['ArrowDown', 1],
      ['PageDown', 11],
      ['PageDown', 21],
      ['ArrowUp', 20],
      ['Home', 0],
    ] as const) {
      await page.keyboard.press(key);
      await page.waitForURL(new RegExp(`at=${at}$`));
      await page.waitForSelector(`.log-row button:focus:has(.number:text-is("${at}"))`);
    }
    await page.keyboard.press('Tab');
    expect(await page.locator('.log-list :focus').count()).toBe(0);
  });

  it('an export carries the key that the page alone holds', async () => {
    const guest = await browser.open({ width: 1000 });
    await guest.goto(`${api.url}/console/`);
    await guest.fill('input[name=key]', KEY);
    await guest.uncheck('input[type=checkbox]');
    await guest.click('button[type=submit]');
    await guest.waitForSelector('.top');
    expect(await guest.context().cookies()).toEqual([]);
    await open(guest, `/audit?session=${session}`);
    for (const [format, expected] of [
      ['CSV', 'position,'],
      ['NDJSON', '{"position":'],
    ] as const) {
      const download = guest.waitForEvent('download');
      await guest.click(`button:has-text("Export as ${format}")`);
      const [head, ...lines] = (await readFile(await (await download).path(), 'utf8')).split('\n');
      expect(head?.slice(0, expected.length)).toBe(expected);
      expect(lines.filter((line) => line.includes('CompactionCompleted')).length).toBeGreaterThan(4);
    }
    await open(guest, '/audit?since=yesterday');
    await guest.click('button:has-text("Export as CSV")');
    expect(await says(guest, '.actions .notice-error')).toContain('since');
    await browser.leave(guest);
  });

  it('what if: two policies side by side, with the measures and turns that differ', async () => {
    await open(page, `/sessions/${session}/what-if`);
    await page.click('summary:has-text("Try a changed profile")');
    await page.click('button:has-text("Try it")');
    await page.waitForSelector('option:has-text("changed-here")', { state: 'attached' });
    const comparison = page.locator('section[aria-label="Comparison of two policies"]');
    await comparison.locator('select').nth(0).selectOption('deterministic');
    await comparison.locator('select').nth(1).selectOption('changed-here');
    await page.waitForSelector('th:has-text("B: changed-here")');
    expect(await comparison.locator('thead').first().textContent()).toContain('A: deterministic');
    expect(await comparison.locator('td:has-text("≠ differs")').count()).toBeGreaterThan(0);
  });

  it('the slider of revisions stands under the crosshair of the sawtooth, over revisions and over time', async () => {
    for (const axis of ['', '?axis=time']) {
      await open(page, `/sessions/${session}${axis}`);
      for (const key of ['Home', 'ArrowRight', 'PageUp', 'PageUp', 'End', 'ArrowLeft']) {
        await page.press('.slider', key);
        const [thumb, crosshair] = await page.evaluate<[number, number]>(THUMB_AND_CROSSHAIR);
        expect([axis, key, Math.abs(thumb - crosshair) <= 1]).toEqual([axis, key, true]);
      }
      const chosen = async (): Promise<number> =>
        Number((await says(page, '.detail a:has-text("Context")')).replace(/\D/g, ''));
      const before = await chosen();
      await page.press('.slider', 'ArrowLeft');
      expect(await chosen()).toBe(before - 1);
    }
  });

  it('the retention map shows every turn of a long session', async () => {
    const messages = Array.from({ length: 240 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `Step ${at}: the parser reads one more line of the file and reports its position.`,
    }));
    await api.call('POST', '/v1/sessions', { session: 'long', model: 'claude-opus-4-6' });
    await api.call('POST', '/v1/sessions/long/messages', { messages });
    const { body } = await api.call('POST', '/v1/sessions/long/compactions', { profile: 'core' });
    await api.call('GET', `/v1/sessions/long/compactions/${Object(body).compactionId}/outcome?timeout=20`);
    await open(page, '/sessions/long/retention');
    const turns: string[] = [];
    for (;;) {
      await page.waitForSelector(`.retention th a:text-is("${turns.length + 1}")`);
      turns.push(...(await page.locator('.retention tbody th a').allTextContents()));
      const later = page.locator('button:has-text("Later turns")');
      if (await later.isDisabled()) break;
      await later.click();
    }
    expect(turns).toEqual(Array.from({ length: 120 }, (_, at) => String(at + 1)));
  });

  it('the time axis names its pauses', async () => {
    await page.route('**/occupancy?*axis=time*', async (route) => {
      const response = await route.fetch();
      const series = Object(await response.json());
      const [from, to] = ['2026-01-02T08:00:00.000Z', '2026-01-02T11:00:00.000Z'];
      series.activity.idle = [
        { revision: Math.floor(series.to / 2), from, to, activeMs: series.activity.activeMs / 2 },
      ];
      await route.fulfill({ response, json: series });
    });
    await open(page, `/sessions/${session}?axis=time`);
    expect(await says(page, '.idle text')).toBe('3 h');
    expect(await says(page, '.zoom')).toContain('without 1 idle time, 3 h in all');
    await page.unroute('**/occupancy?*axis=time*');
  });

  it('the proof page names the witnesses, and the number missing for the quorum', async () => {
    const seen = { size: 20, cosignedAt: '2026-01-02T08:00:00.000Z', problem: null, failingSince: null };
    const away = {
      ...{ size: null, cosignedAt: null },
      ...{ problem: 'it cannot be reached', failingSince: '2026-01-02T08:00:00.000Z' },
    };
    const one = { key: 'k', url: 'https://witness.example' };
    const witnesses = [
      { ...one, ...seen, name: 'harbour' },
      { ...one, ...away, name: 'museum' },
    ];
    await page.route('**/log/witnesses', (route) =>
      route.fulfill({ json: { keys: [], size: 24, quorum: 'both', witnessedSize: null, witnesses } }),
    );
    await open(page, `/sessions/${session}/proof`);
    expect(await says(page, 'strong.bad')).toContain('The quorum both is missing');
    expect(await says(page, 'tr:has-text("harbour")')).toContain('20');
    expect(await says(page, 'tr:has-text("museum")')).toContain('it cannot be reached');
    await page.unroute('**/log/witnesses');
  });

  it('an auditor without content:read sees no text anywhere', async () => {
    const issued = await api.call('POST', '/v1/keys', { role: 'auditor', label: 'audit' });
    const auditor = await browser.open({ width: 1280 });
    const hands = new Hands('Audit a compaction without reading a word', 'Sessions', auditor);
    await signIn(auditor, api, String(Object(issued.body).key));
    await auditor.waitForSelector('.sessions td a');
    for (const step of [
      `.sessions td a[href$="${session}"]`,
      '.tabs a:has-text("Context")',
      '.tabs a:has-text("Compactions")',
      'tbody tr:last-child a',
      '.tabs a:has-text("Retention")',
      '.tabs a:has-text("Log")',
      '.log-row:has-text("Message") button',
      '.log-detail a:has-text("Life of message")',
    ]) {
      await hands.click(step);
      await settled(auditor);
      const text = await auditor.textContent('body');
      for (const word of ['docstring', 'British spelling', 'migrations/'])
        expect([step, text?.includes(word)]).toEqual([step, false]);
    }
    expect(await says(auditor, '.withheld')).toContain('content:read');
    await browser.leave(auditor);
  });

  it('an auditor finds why a message has no text, and the receipt', async () => {
    const erasure = await eraseAndHold(api);
    const issued = await api.call('POST', '/v1/keys', { role: 'auditor', label: 'audit of erasures' });
    const auditor = await browser.open({ width: 1280 });
    const hands = new Hands(
      'See why a message was erased, the receipt, and a held session',
      'the message',
      auditor,
    );
    await signIn(auditor, api, String(Object(issued.body).key));
    await open(auditor, '/sessions/erased/messages/hers');
    expect(await says(auditor, '#main')).toContain('Requests carry a marker in its place.');
    await hands.click(`.notice a:has-text("${erasure}")`);
    expect(await says(auditor, 'dl.facts')).toMatch(/asked for.*1 key of/);
    await hands.click('.tabs a:has-text("Holds")');
    await hands.click('td a, th a');
    expect(await says(auditor, '.notice')).toMatch(/case-17.*litigation is expected/);
    await browser.leave(auditor);
  });

  it('an expired key leads back to the sign-in, with the reason', async () => {
    const issued = await api.call('POST', '/v1/keys', { role: 'agent', label: 'soon gone' });
    const { key, keyId } = Object(issued.body);
    const guest = await browser.open({ width: 1000 });
    const hands = new Hands('Come back after a key has expired', 'any page', guest);
    await signIn(guest, api, key);
    await api.call('DELETE', `/v1/keys/${keyId}`);
    hands.count();
    await guest.click('nav a:has-text("Audit")');
    expect(await says(guest, '.sign-in .notice')).toContain('expired or was revoked');
    await hands.type('input[name=key]', KEY);
    expect(await says(guest, 'h1:has-text("Audit")')).toBe('Audit');
    await browser.leave(guest);
  });

  /** Opens a file without a network, and returns the text of its banner. */
  const opened = async (name: string, text: string): Promise<readonly [reader: Page, banner: string]> => {
    const file = join(folder, name);
    await writeFile(file, text);
    const reader = await browser.open({ width: 1280 });
    await reader.context().setOffline(true);
    await reader.goto(pathToFileURL(file).href);
    return [reader, await says(reader, '.notice-good, .notice-error')];
  };

  it('share a session as a file that opens and verifies itself without a network, and holds no text', async () => {
    const hands = new Hands('Share a session as one file', 'the session', page);
    await open(page, `/sessions/${session}`);
    await hands.click('.tabs a:has-text("Share")');
    const download = page.waitForEvent('download');
    await hands.click('button.primary');
    const text = await readFile(await (await download).path(), 'utf8');
    for (const word of ['British spelling', 'docstring that names', 'migrations/'])
      expect([word, text.includes(word)]).toEqual([word, false]);
    const [reader, banner] = await opened('shared.html', text);
    expect(banner).toContain('Verified');
    expect(banner).toContain('without content');
    await reader.waitForSelector('.sawtooth .mark');
    for (const [tab, shown] of [
      ['Context', '.withheld:has-text("which was exported without content")'],
      ['Retention', '.retention td'],
      ['Log', '.log-row:has-text("Compaction completed"), .log-row:has-text("Session opened")'],
      ['Proof', 'tr:has-text("Inclusion"):has-text("passed")'],
    ] as const) {
      await reader.click(`.tabs a:has-text("${tab}")`);
      await reader.waitForSelector(shown);
    }
    await browser.leave(reader);
  });

  it('a shared file that was changed says so, wherever the change is', async () => {
    const args = ['export', session, '--html', '--with-content', '-o', join(folder, 'whole.html')];
    await promisify(execFile)(process.execPath, [PROGRAM, ...args], {
      env: { ...process.env, PALIMPSEST_URL: api.url, PALIMPSEST_API_KEY: KEY },
    });
    const whole = await readFile(join(folder, 'whole.html'), 'utf8');
    const [reader, banner] = await opened('again.html', whole);
    expect(banner).toContain('Verified');
    await reader.click('.tabs a:has-text("Context")');
    expect(await says(reader, '.messages')).toContain('docstring');
    await reader.click('.tabs a:has-text("Retention")');
    await reader.click('.retention tbody th a');
    expect(await says(reader, 'article')).toContain('docstring');
    await browser.leave(reader);
    const at = whole.indexOf('id="proof"');
    const [head, proof] = [whole.slice(0, at), whole.slice(at)];
    const changes = {
      'a message that is shown': [head.replace('docstring', 'docstrong'), proof],
      'an event of the proof': [head, proof.replace('docstring', 'docstrong')],
      'the end of the proof': [head, proof.replace(/\\n\{[^\n]*signature.*/, '"</script>')],
      'the recording, which no program can read': [head.replace('"answers":{', '"answers":'), proof],
    };
    for (const [name, parts] of Object.entries(changes)) {
      const changed = parts.join('');
      expect([name, changed === whole]).toEqual([name, false]);
      const [victim, warning] = await opened('changed.html', changed);
      expect([name, warning]).toEqual([name, expect.stringContaining('Invalid')]);
      await browser.leave(victim);
    }
  });

  it('verify a session in the browser against the log', async () => {
    const hands = new Hands('Verify a session against the log', 'the session', page);
    await open(page, `/sessions/${session}`);
    await hands.click('.tabs a:has-text("Proof")');
    expect(await says(page, 'h2 + p:has-text("leaves")')).toContain('palimpsest-');
    await hands.click('button:has-text("Verify here")');
    expect(await says(page, 'p.good[role=status]')).toContain('Valid');
  });

  it('are as short as the guide says', async () => {
    const table = [...interactions].map(([name, { from, used }]) => `| ${name} | ${from} | ${used} |`);
    const guide = await readFile(GUIDE, 'utf8').catch(() => '');
    if (process.env.UPDATE_CONSOLE_PAGE === '1') {
      const [head = '', rest = ''] = guide.split(TABLE_BEGINS);
      const [, tail = ''] = rest.split(TABLE_ENDS);
      const rows = ['\n', '| journey | from | interactions |', '| --- | --- | --- |', ...table, '\n'].join(
        '\n',
      );
      await writeFile(GUIDE, `${head}${TABLE_BEGINS}${rows}${TABLE_ENDS}${tail}`);
      return;
    }
    const written = guide.replace(/ +/g, ' ');
    for (const row of table) expect(written).toContain(row);
  });
});
