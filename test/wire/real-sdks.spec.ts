import Anthropic, { BadRequestError } from '@anthropic-ai/sdk';
import { compose, manifestOf } from '@app/domain';
import { append, compactable, complete, openOf, request, run, start, user } from '@app/testing';
import { AnthropicServer, OpenAiServer } from '@app/testing/providers';
import OpenAI from 'openai';

const compacted = [...compactable(), request(), start(), complete(), append(user('u6', 'Go on'))];
const manifest = manifestOf(openOf(run(compacted)));

/** The servers reject violations of the provider's rules, as the provider does. */
describe('composed request of a compacted session', () => {
  let anthropic: AnthropicServer;
  let openai: OpenAiServer;
  let client: Anthropic;
  beforeAll(async () => {
    anthropic = await AnthropicServer.start();
    openai = await OpenAiServer.start({ windows: { [manifest.model]: 200_000 } });
    client = new Anthropic({ apiKey: 'none', baseURL: anthropic.url, maxRetries: 0, timeout: 30_000 });
  });
  afterAll(() => Promise.all([anthropic.close(), openai.close()]));

  it('passes Anthropic’s own client unchanged, and is accepted', async () => {
    const { request: body } = compose(manifest, 'anthropic');
    const answer = await client.messages.create(JSON.parse(JSON.stringify(body)));
    expect(answer).toMatchObject({ content: [{ text: 'ok' }] });
    expect(anthropic.requests.map((sent) => sent.body)).toEqual([JSON.parse(JSON.stringify(body))]);
  });

  it('passes OpenAI’s own client unchanged, and is accepted', async () => {
    const chat = new OpenAI({ apiKey: 'none', baseURL: `${openai.url}/v1`, maxRetries: 0 });
    const { request: body } = compose(manifest, 'openai-chat');
    const answer = await chat.chat.completions.create(JSON.parse(JSON.stringify(body)));
    expect(answer).toMatchObject({ choices: [{ message: { content: 'ok' } }] });
    expect(openai.requests.map((sent) => sent.body)).toEqual([JSON.parse(JSON.stringify(body))]);
  });

  it('is rejected if a result has no call', async () => {
    const stray = { type: 'tool_result' as const, tool_use_id: 'c1', content: 'done' };
    const broken = {
      model: 'claude-opus-4-6',
      max_tokens: 10,
      messages: [{ role: 'user' as const, content: [stray] }],
    };
    await expect(client.messages.create(broken)).rejects.toBeInstanceOf(BadRequestError);
  });
});
