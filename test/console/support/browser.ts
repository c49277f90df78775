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

/** Milliseconds until something that does not appear fails the test: half of the shortest time limit, so that the reason is named. */
const WAIT_MS = 60_000;

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

/** Cells of a picture's grid: so coarse that fonts and digits change little. */
const GRID = { columns: 24, rows: 16 } as const;

const READ_GRID = `async ([picture, columns, rows]) => {
  const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + picture)).blob());
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const sums = new Array(columns * rows).fill(0);
  const pixels = new Array(columns * rows).fill(0);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const cell = Math.floor((y * rows) / height) * columns + Math.floor((x * columns) / width);
      const at = (y * width + x) * 4;
      sums[cell] += data[at] + data[at + 1] + data[at + 2];
      pixels[cell] += 3;
    }
  return sums.map((sum, cell) => Math.min(15, Math.floor(sum / pixels[cell] / 16)).toString(16)).join('');
}`;

/** Returns the brightness of each cell of the visible page, from 0 to f; `painter` is an empty page that reads the picture. */
export const gridOf = async (page: Page, painter: Page): Promise<string> => {
  const picture = (await page.screenshot()).toString('base64');
  return painter.evaluate(`(${READ_GRID})(${JSON.stringify([picture, GRID.columns, GRID.rows])})`);
};

/** Returns the mean difference of two grids in levels of brightness, of which there are 16. */
export const gridDifference = (a: string, b = ''): number => {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  const levels = (grid: string): readonly number[] => [...grid].map((one) => Number.parseInt(one, 16));
  const others = levels(b);
  return levels(a).reduce((sum, level, at) => sum + Math.abs(level - (others[at] ?? 0)), 0) / a.length;
};
