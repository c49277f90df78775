import { AnthropicServer, OpenAiServer } from '@app/testing/providers';
import { afterAll, beforeEach, expect } from '@jest/globals';
import { type GatewayOptions, GatewayProcess } from './gateway-process.js';

type Options = Omit<GatewayOptions, 'anthropic' | 'openai'> & {
  readonly anthropic?: Parameters<typeof AnthropicServer.start>[0];
  readonly openai?: Parameters<typeof OpenAiServer.start>[0];
};

/**
 * Starts a server of each provider and a gateway before them for the tests of one file. The servers forget their requests before
 * each test; all are closed after the last one, when the gateway has had no problem, unless it may fail open.
 */
export const startGateway = async ({
  anthropic: ofAnthropic,
  openai: ofOpenAi,
  ...options
}: Options = {}) => {
  const anthropic = await AnthropicServer.start(ofAnthropic);
  const openai = await OpenAiServer.start(ofOpenAi);
  const urls = { anthropic: [anthropic.url], openai: [`${openai.url}/v1`] };
  const gateway = await GatewayProcess.start({ ...urls, ...options });
  beforeEach(() => {
    anthropic.forget();
    openai.forget();
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([anthropic.close(), openai.close()]);
    if (options.failOpenMs === undefined) expect(gateway.problems).toEqual([]);
  });
  return { anthropic, openai, gateway };
};
