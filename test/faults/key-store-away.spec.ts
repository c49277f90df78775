import { dirname } from 'node:path';
import { filesWith, type ProcessDeployment, startInProcesses } from '@app/deployments';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const said = (content: string) => ({ messages: [{ role: 'user', content }] });

/** Guarantee: without the key store, sessions whose keys are in memory go on, others are refused, and nothing is written in clear. */
describe('while the key store is away', () => {
  let deployment: ProcessDeployment;
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${deployment.url}/v1/sessions${path}`, {
      method,
      headers: {
        authorization: `Bearer ${deployment.adminKey}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { readonly code?: string };
    return { status: response.status, code: answer.code, text: JSON.stringify(answer) };
  };
  beforeAll(async () => {
    deployment = await startInProcesses({ PALIMPSEST_KEY_CACHE_SECONDS: '10' });
    for (const session of ['warm', 'cold']) {
      await call('POST', '', { session, window: 200_000 });
      await call('POST', `/${session}/messages`, said(`${session} before`));
    }
    await deployment.kill('api'); // Its memory is empty now.
    await call('POST', '/warm/messages', said('warm again'));
  });
  afterAll(() => deployment.stop());

  it('sessions with keys in memory go on, and others get a clear refusal', async () => {
    const away = { status: 503, code: 'postgres-unavailable' };
    await deployment.kill('postgres', async () => {
      expect(await call('POST', '/warm/messages', said('planted-warm'))).toMatchObject({ status: 200 });
      const context = await call('GET', '/warm/context');
      expect([context.status, context.text.includes('planted-warm')]).toEqual([200, true]);
      expect(await call('POST', '/cold/messages', said('planted-cold'))).toMatchObject(away);
      expect(await call('GET', '/cold/context')).toMatchObject(away);
      const opened = { session: 'new', window: 200_000, system: 'planted-new' };
      expect(await call('POST', '', opened)).toMatchObject(away);
      // The keys in memory end with their lifetime.
      let last = { status: 200, code: undefined as string | undefined };
      for (let at = 1; last.status === 200; at += 1)
        last = await call('POST', '/warm/messages', said(`planted-warm ${at}`));
      expect(last).toMatchObject(away);
    });
    expect((await call('GET', '/cold/context')).text).not.toContain('planted-cold');
    expect(await call('POST', '/cold/messages', said('cold after'))).toMatchObject({ status: 200 });
    const folder = dirname(deployment.settings.PALIMPSEST_DATA ?? '');
    const planted = ['planted-warm', 'planted-cold', 'planted-new', 'cold after'];
    expect(await filesWith(folder, planted)).toEqual({});
  });
});
