import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiServer } from './support/api-server.js';

/** The slowest text to count: a megabyte takes seconds. */
const WIDE = '数据在日志里文字也在'.repeat(90_000);

let api: ApiServer;
beforeAll(async () => {
  api = await ApiServer.start();
});
afterAll(() => api.stop());

it('serves other requests while it counts a large text', async () => {
  await api.call('POST', '/v1/sessions', { session: 'large', window: 0, model: 'unknown' });
  let isCounting = true;
  const messages = [{ role: 'user', content: WIDE }];
  const appended = api.call('POST', '/v1/sessions/large/messages', { messages }).finally(() => {
    isCounting = false;
  });
  let answered = 0;
  while (isCounting) {
    expect(await api.call('GET', '/v1/whoami')).toMatchObject({ status: 200 });
    answered += 1;
  }
  expect(await appended).toMatchObject({ status: 200 });
  // Sequential requests: a blocked event loop would have answered two.
  expect(answered).toBeGreaterThan(20);
});
