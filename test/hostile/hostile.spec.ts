import {
  CONTENT_MARK,
  caughtUp,
  makeWorld,
  runHostile,
  seenByBystander,
  type World,
} from '@app/testing/hostile';
import { AnthropicServer, OpenAiServer } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer, KEY } from '../api/support/api-server.js';

const SEED = Number(process.env.PALIMPSEST_HOSTILE_SEED ?? 1);
const COUNT = Number(process.env.PALIMPSEST_HOSTILE_COUNT ?? 1_000);
const { PALIMPSEST_HOSTILE_ONLY: ONLY } = process.env;

/** Guarantee: no request of a tenant causes a server error, or reaches another tenant. */
describe(`requests by seed ${SEED}`, () => {
  let api: ApiServer;
  let anthropic: AnthropicServer;
  let openai: OpenAiServer;
  let world: World;
  let before: ReadonlyMap<string, string>;
  beforeAll(async () => {
    anthropic = await AnthropicServer.start();
    openai = await OpenAiServer.start();
    api = await ApiServer.start({
      PALIMPSEST_SUMMARIZER: 'extractive',
      PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true',
      PALIMPSEST_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      PALIMPSEST_GATEWAY_ANTHROPIC: anthropic.url,
      PALIMPSEST_GATEWAY_OPENAI: `${openai.url}/v1`,
      PALIMPSEST_HTTP_BODY_IDLE_TIMEOUT_MS: '300',
      PALIMPSEST_HTTP_SHUTDOWN_TIMEOUT_MS: '2000',
    });
    world = await makeWorld(api.url, KEY);
    await caughtUp(api.url);
    before = await seenByBystander(world);
  });
  afterAll(async () => {
    await api.kill(); // After a test that has not finished.
    await anthropic.close();
    await openai.close();
  });

  it('are answered without a server error', async () => {
    const [from, count] = ONLY === undefined ? [0, COUNT] : [Number(ONLY), 1];
    const faults = await runHostile(world, { seed: SEED, from, count, atOnce: 16 });
    expect(faults.join('\n')).toBe('');
  });

  it('stop no projection', async () => {
    await caughtUp(api.url);
    const stopped = await api.call('GET', '/v1/projections/stopped');
    expect(stopped).toMatchObject({ status: 200, body: { items: [] } });
  });

  it('change nothing that another tenant sees', async () => {
    expect(await seenByBystander(world)).toEqual(before);
  });

  it('leave no text and no key in the log, and a process that exits normally', async () => {
    expect(await api.stop()).toBe(0);
    expect(api.logged).not.toContain(CONTENT_MARK);
    for (const key of Object.values(world.keys)) if (key !== '') expect(api.logged).not.toContain(key);
  });
});
