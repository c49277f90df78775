import { AnthropicServer, answer } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anthropicAt, ask, saying } from './support/clients.js';
import { GatewayProcess } from './support/gateway-process.js';

describe('a chain of upstreams', () => {
  let first: AnthropicServer;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    first = await AnthropicServer.start();
    gateway = await GatewayProcess.start({ anthropic: [first.url] });
  });
  afterAll(async () => {
    await gateway.close();
    await first.close();
  });

  it('works', async () => {
    first.reply(answer('Hi.'));
    const asked = await ask(anthropicAt(gateway, { session: 's1' }), saying('Hello'));
    expect(asked).toEqual({ text: 'Hi.', session: 's1' });
    expect(await gateway.exported('s1')).toHaveLength(2);
    expect(await gateway.types('s1')).toEqual([]);
  });
});
