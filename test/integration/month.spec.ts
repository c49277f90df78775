// A small simulated month; `npm run bench month` runs the full one.
import { PalimpsestClient } from '@app/client';
import { type Deployment, startEmbedded } from '@app/deployments';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OFF_MAX } from '../../bench/support/month/judge.js';
import { type Month, playMonth, providersOf } from '../../bench/support/month/month.js';
import type { Providers } from '../../bench/support/month/providers.js';

const OPTIONS = { seed: 3, sessions: 6, turns: 20, atOnce: 3, tokenizer: 'dense' } as const;

/** Guarantee: reports of the service match the requests at the providers and the events of the log. */
describe('sessions of a simulated month', () => {
  let providers: Providers;
  let deployment: Deployment;
  let month: Month;
  beforeAll(async () => {
    providers = await providersOf(OPTIONS);
    deployment = await startEmbedded({
      PALIMPSEST_GATEWAY_ANTHROPIC: providers.anthropic.url,
      PALIMPSEST_GATEWAY_OPENAI: `${providers.openai.url}/v1`,
    });
    const { url, adminKey: key } = deployment;
    const client = new PalimpsestClient({ url, apiKey: key });
    month = await playMonth({ url, key, client, providers }, OPTIONS);
  });
  afterAll(async () => {
    await deployment.stop();
    await providers.stop();
  });

  it('are never rejected for their size, are rebuilt byte for byte, and agree in rows, audit, usage and log', () => {
    expect(month.faults).toEqual([]);
    expect(month.verdicts.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThan(60);
  });

  it('have sizes within 2 % of the bill in nine of ten requests', () => {
    const off = month.verdicts.flatMap((verdict) => verdict.off);
    expect(off.filter((share) => share <= OFF_MAX).length / off.length).toBeGreaterThan(0.9);
  });
});
