/**
 * The console on a session of 100,000 messages, in Chromium: the time from the API's answer to the first view of the sawtooth, and
 * the times of frames while the log is scrolled. The limits are 1 s and 50 ms. Frames wait for other programs of the machine; the
 * CPU time of the page's tasks does not.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { readInvocation } from './support/invocation.js';
import { ADMIN_KEY, Service } from './support/load/service.js';
import { fixed, note, report, whole } from './support/report.js';
import { prose } from './support/sessions/texts.js';

const LIMITS = { firstViewMs: 1_000, frameMs: 50 };
const BROWSER = process.env.PALIMPSEST_BROWSER ?? '/usr/bin/chromium';
const { quick, folder } = readInvocation();
const MESSAGES = quick ? 10_000 : 100_000;
const ROUNDS = quick ? 3 : 5;
/** Turns of the mouse wheel, and the pixels of each. */
const WHEEL = { turns: quick ? 100 : 300, pixels: 900 };

/** Imports a session of short messages, compacted as its window fills, and returns its ID. */
const imported = async (service: Service): Promise<string> => {
  const lines = Array.from({ length: MESSAGES }, (_, at) =>
    JSON.stringify({ role: at % 2 === 0 ? 'user' : 'assistant', content: prose(at, 120) }),
  );
  const answer = await fetch(`${service.url}/v1/imports?name=long.jsonl&profile=core`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/octet-stream' },
    body: lines.join('\n'),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return String(Object(await answer.json()).sessions[0].session);
};

/** Milliseconds from the end of the API's last answer before the drawing to the frame that shows it. */
const firstView = async (page: Page, url: string, session: string): Promise<number> => {
  await page.goto(`${url}/console/#/sessions`);
  await page.waitForSelector('.sessions');
  await page.evaluate(`performance.clearResourceTimings(); location.hash = '#/sessions/${session}'`);
  await page.waitForSelector('.sawtooth .occupancy-line');
  return page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => {
    const answers = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/occupancy'));
    resolve(performance.now() - Math.max(...answers.map(({ responseEnd }) => responseEnd)));
  }))`);
};

const openLog = async (page: Page, url: string, session: string): Promise<void> => {
  await page.goto(`${url}/console/#/sessions/${session}/log`);
  await page.hover('.log-list');
  await page.waitForSelector('.log-type');
};

type TraceEvent = { name: string; pid: number; tid: number; tdur?: number };

/** Milliseconds of CPU time of each task of the page while the log is scrolled with the wheel. */
const tasks = async (browser: Browser, page: Page): Promise<readonly number[]> => {
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  for (let turn = 0; turn < WHEEL.turns; turn += 1) await page.mouse.wheel(0, WHEEL.pixels);
  const events: TraceEvent[] = JSON.parse((await browser.stopTracing()).toString()).traceEvents;
  const script = events.find(({ name }) => name === 'FunctionCall');
  return events
    .filter(({ name, pid, tid }) => /RunTask$/.test(name) && pid === script?.pid && tid === script.tid)
    .map(({ tdur = 0 }) => tdur / 1_000);
};

/** Milliseconds of each frame while the log is scrolled with the wheel. */
const frames = async (page: Page): Promise<readonly number[]> => {
  await page.evaluate(`window.frames_ = []; let before = performance.now();
    const next = (now) => { window.frames_.push(now - before); before = now; requestAnimationFrame(next); };
    requestAnimationFrame(next)`);
  for (let turn = 0; turn < WHEEL.turns; turn += 1) await page.mouse.wheel(0, WHEEL.pixels);
  return page.evaluate('window.frames_.slice(1)');
};

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

if (!existsSync(BROWSER)) {
  note(`no browser at ${BROWSER}: install chromium, or name one in PALIMPSEST_BROWSER`);
} else {
  const service = await Service.start(join(folder, 'service'));
  const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
  try {
    note(`imports ${whole(MESSAGES)} messages`);
    const session = await imported(service);
    // The sawtooth is drawn from rows.
    while ((await service.lag()) > 0) await pause(200);
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${service.url}/console/`);
    await page.fill('input[name=key]', ADMIN_KEY);
    // The cookie signs in again after each page load.
    await page.check('input[type=checkbox]');
    await page.click('button[type=submit]');
    await page.waitForSelector('.top');
    const views: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) views.push(await firstView(page, service.url, session));
    await openLog(page, service.url, session);
    const times = await frames(page);
    await openLog(page, service.url, session);
    const distributions = [
      ['first view after the answer', views, LIMITS.firstViewMs],
      ['a frame while scrolling', times, LIMITS.frameMs],
      ['CPU time of a task while scrolling', await tasks(browser, page), LIMITS.frameMs],
    ] as const;
    report(
      `console: a session of ${whole(MESSAGES)} messages, milliseconds`,
      ['', 'samples', 'p50', 'p95', 'p99', 'max', 'limit', 'kept'],
      distributions.map(([name, samples, limit]) => {
        const sorted = samples.toSorted((a, b) => a - b);
        const max = sorted.at(-1) ?? 0;
        const shares = [0.5, 0.95, 0.99].map((share) => fixed(percentile(sorted, share), 1));
        return [
          name,
          whole(sorted.length),
          ...shares,
          fixed(max, 1),
          whole(limit),
          max <= limit ? 'yes' : 'no',
        ];
      }),
    );
  } finally {
    await browser.close();
    await service.stop();
  }
}
