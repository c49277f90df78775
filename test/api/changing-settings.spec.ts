import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from './support/api-server.js';

/** Guarantee: a change of settings is recorded as one event, and a misspelt field is reported with its path. */
describe('PATCH /v1/sessions/:session/settings', () => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await ApiServer.start();
    expect((await api.call('POST', '/v1/sessions', { session: 's', window: 20_000 })).status).toBe(201);
  });
  afterAll(() => api.stop());

  /** Types of the recorded events. */
  const types = async (): Promise<readonly string[]> => {
    const { body } = await api.call('GET', '/v1/sessions/s/events');
    return [...String(body).matchAll(/"type":"(\w+)","/g)].map(([, type = '']) => type);
  };

  it('records a title as one event', async () => {
    const before = await types();
    expect(before).toContain('SessionOpened');
    const { status, body } = await api.call('PATCH', '/v1/sessions/s/settings', { title: 'Parser' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: 'Parser', changed: ['title'] });
    expect(await types()).toEqual([...before, 'SessionDescribed']);
  });

  it.each([
    [{ titel: 'x' }, [{ at: 'titel', problem: 'unknown field "titel" (did you mean "title"?)' }]],
    [
      { widnow: 1, zzzzzzzz: 1 },
      [
        { at: 'widnow', problem: 'unknown field "widnow" (did you mean "window"?)' },
        { at: 'zzzzzzzz', problem: 'unknown field "zzzzzzzz"' },
      ],
    ],
  ])('names each unknown field of %j', async (change, faults) => {
    const { status, body } = await api.call('PATCH', '/v1/sessions/s/settings', change);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'invalid-request',
      faults: faults.map(({ at, problem }) => ({ at, problem: expect.stringContaining(problem) })),
    });
  });
});
