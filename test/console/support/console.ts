import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type ApiServer, KEY } from '../../api/support/api-server.js';
import { settled } from './browser.js';

const SAMPLE = fileURLToPath(new URL('../../../samples/agent-session.json', import.meta.url));

/** Imports the sample session, which is compacted five times, and returns its ID when the rows have all of it. */
export const importSample = async (api: ApiServer): Promise<string> => {
  const imported = await fetch(`${api.url}/v1/imports?name=sample.json&profile=core&window=32000`, {
    method: 'POST',
    headers: { ...api.authorization, 'content-type': 'application/octet-stream' },
    body: await readFile(SAMPLE),
  });
  expect(imported.status).toBe(200);
  const session = String(Object(await imported.json()).sessions[0].session);
  const { body } = await api.call('GET', `/v1/sessions/${session}`);
  await caughtUp(api, session, Number(Object(body).revision));
  return session;
};

/** Resolves when the rows of a session have reached a revision. */
export const caughtUp = async (api: ApiServer, session: string, revision: number): Promise<void> => {
  for (;;) {
    const { body } = await api.call('GET', '/v1/sessions?limit=1000');
    const found: { session: string; revision: number }[] = Object(body).items;
    if (found.some((one) => one.session === session && one.revision >= revision)) return;
    await pause(20);
  }
};

/** Opens a session of which a person's message is erased, and one that is held; returns the ID of the erasure. */
export const eraseAndHold = async (api: ApiServer): Promise<string> => {
  const done = async (method: string, path: string, body: object): Promise<object> => {
    const answer = await api.call(method, path, body);
    expect([path, answer.status, answer.status < 300 || answer.body]).toEqual([path, answer.status, true]);
    return Object(answer.body);
  };
  const hers = [{ id: 'hers', role: 'user', content: 'I am Ada Example.', subjects: ['ada'] }];
  const his = [{ id: 'his', role: 'user', content: 'I am Bob Example.', subjects: ['bob'] }];
  for (const [session, messages] of [
    ['erased', [...hers, ...his]],
    ['held', his],
  ] as const) {
    await done('POST', '/v1/sessions', { session, model: 'claude-opus-4-6' });
    await done('POST', `/v1/sessions/${session}/messages`, { messages });
  }
  await done('PUT', '/v1/sessions/held/holds/case-17', { reason: 'litigation is expected' });
  const erased = await done('POST', '/v1/erasures', { subject: 'ada', reason: 'asked for' });
  return 'erasure' in erased ? String(erased.erasure) : '';
};

/** Signs in by pasting a key. */
export const signIn = async (page: Page, api: ApiServer, key = KEY): Promise<void> => {
  await page.goto(`${api.url}/console/`);
  await page.fill('input[name=key]', key);
  await page.click('button[type=submit]');
  await page.waitForSelector('.top');
};

/** Opens a place of the console and waits until it is loaded. */
export const open = async (page: Page, place: string): Promise<void> => {
  await page.evaluate(`location.hash = ${JSON.stringify(`#${place}`)}`);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await settled(page);
};
