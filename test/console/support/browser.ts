import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const chosen = process.env.PALIMPSEST_BROWSER;
const installed = (chosen === undefined ? PLACES : [chosen]).find((path) => existsSync(path));

/** Specs of a browser; skipped with a message where none is installed. */
export const describeInBrowser = (name: string, specs: () => void): void => {
  if (installed !== undefined) describe(name, specs);
  else describe.skip(`${name} (no browser: install chromium, or name one in PALIMPSEST_BROWSER)`, specs);
};

/** Scripts for pages are texts: this project's types know no DOM. */
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) =>
  console.error('CSP ' + event.violatedDirective + ' ' + event.blockedURI));`;

export type View = {
  readonly width: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
};

/** Messages of the browser that a page of the console must not cause. */
export type Trouble = { readonly place: string; readonly says: string };

/** Milliseconds until something that does not appear fails the test. */
const WAIT_MS = 10_000;

/** One browser, whose contexts share nothing. */
export class TestBrowser {
  readonly troubles: Trouble[] = [];

  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<TestBrowser> {
    const args = ['--no-sandbox', '--disable-dev-shm-usage'];
    return new TestBrowser(await chromium.launch({ executablePath: installed ?? '', args }));
  }

  /** Opens a page that collects errors of scripts, of the console and of the content security policy. */
  async open({ width, height = 800, theme = 'light' }: View): Promise<Page> {
    const context = await this.browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: 'reduce',
    });
    await context.addInitScript(REPORT_VIOLATIONS);
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    page.on('pageerror', (error) => this.troubles.push({ place: page.url(), says: error.message }));
    page.on('console', (message) => {
      if (message.type() === 'error') this.troubles.push({ place: page.url(), says: message.text() });
    });
    return page;
  }

  /** Closes a page with its cookies. */
  async leave(page: Page): Promise<void> {
    await (page.context() satisfies BrowserContext).close();
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}

/** Puts axe into a page; a page of the console stays the same document at all its places. */
export const injectAxe = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  // Evaluated by the debugger, which the page's policy does not concern.
  await session.send('Runtime.evaluate', { expression: axe.source });
  await session.detach();
};

/** Returns the findings of axe on a page, as `rule: elements`. */
export const axeFindings = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(
    ({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))`);

/** Shows a page at another width and in another theme. */
export const showAs = async (page: Page, { width, height = 800, theme = 'light' }: View): Promise<void> => {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height });
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
};

/** Returns by how many pixels a page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Resolves when nothing is loading any more. */
export const settled = async (page: Page): Promise<void> => {
  await page.waitForSelector('h1');
  await page.waitForSelector('.loading, [aria-busy="true"]', { state: 'detached' });
};
