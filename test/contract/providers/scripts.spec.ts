import {
  AnthropicServer,
  answer,
  fail,
  OpenAiServer,
  type RecordedRequest,
  thinking,
} from '@app/testing/providers';
import { anthropicClient } from './support/anthropic.js';
import { openAiClient } from './support/openai.js';

const asked = (content: string) => ({
  ...{ model: 'claude-opus-4-6', max_tokens: 100 },
  messages: [{ role: 'user' as const, content }],
});
const textOf = async (message: PromiseLike<{ content: readonly object[] }>): Promise<unknown> =>
  Object((await message).content[0]).text;

describe('script of a provider server', () => {
  it('is consumed in order, after replies added later', async () => {
    const server = await AnthropicServer.start({ script: [answer('one'), answer('two')] });
    const { messages } = anthropicClient(server.url);
    expect(await textOf(messages.create(asked('x')))).toBe('one');
    server.reply(answer('between'));
    expect(await textOf(messages.create(asked('x')))).toBe('between');
    expect(await textOf(messages.create(asked('x')))).toBe('two');
    await expect(messages.create(asked('x'))).rejects.toThrow('the script is at its end');
    await server.close();
  });

  it('may be an asynchronous function of the request', async () => {
    const script = async ({ at, body }: RecordedRequest) =>
      at === 0 ? fail('overloaded') : answer(`You sent ${JSON.stringify(body.messages)}`);
    const server = await AnthropicServer.start({ script });
    const { messages } = anthropicClient(server.url, { maxRetries: 1 });
    expect(await textOf(messages.create(asked('Hi')))).toBe('You sent [{"role":"user","content":"Hi"}]');
    await server.close();
  });

  it('reports its own error to the client at once', async () => {
    const script = () => {
      throw new Error('not that one');
    };
    const server = await OpenAiServer.start({ script });
    const chat = { model: 'gpt-5.4', messages: [{ role: 'user' as const, content: 'x' }] };
    await expect(openAiClient(server.url, { maxRetries: 2 }).chat.completions.create(chat)).rejects.toThrow(
      'not that one',
    );
    expect(server.requests).toHaveLength(1);
    await server.close();
  });

  it('sets the usage of an answer, or lets the server count it', async () => {
    const server = await AnthropicServer.start({
      script: [{ ...answer('x'), outputTokens: 77 }, answer(thinking('y'.repeat(400)))],
    });
    const { messages } = anthropicClient(server.url);
    expect((await messages.create(asked('x'))).usage.output_tokens).toBe(77);
    const { usage } = await messages.create(asked('x'));
    expect(usage.output_tokens).toBeGreaterThan(100);
    expect(usage.output_tokens_details?.thinking_tokens).toBe(usage.output_tokens);
    await server.close();
  });

  it('records how each request ended', async () => {
    const server = await AnthropicServer.start({
      script: [
        answer('whole'),
        { ...answer('cut'), disturbance: { kind: 'cut', afterEvents: 2 } },
        fail('hangs-up'),
      ],
    });
    const { messages } = anthropicClient(server.url);
    await messages.create(asked('x'));
    await messages
      .stream(asked('x'))
      .finalMessage()
      .catch(() => undefined);
    await messages.create(asked('x')).catch(() => undefined);
    expect(await Promise.all(server.requests.map(({ ended }) => ended))).toEqual(['answered', 'cut', 'cut']);
    await server.close();
  });
});
