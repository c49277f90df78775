import type Anthropic from '@anthropic-ai/sdk';
import { AnthropicServer, answer, call, redactedThinking, thinking } from '@app/testing/providers';
import { describe, expect, it } from '@jest/globals';
import { anthropicAt, ask, MODEL, saying } from './support/clients.js';
import { GatewayProcess, KEY } from './support/gateway-process.js';
import { startGateway } from './support/start-gateway.js';

const { anthropic: upstream, gateway } = await startGateway();

const TOLD = 'It is all in the beginning, and more.';
type Param = Anthropic.Beta.BetaMessageParam;
const textsOf = (exported: readonly { readonly content: unknown }[]) =>
  exported.map(({ content }) => Object(content)[0]?.text);

/**
 * Guarantee: after any edit that an agent makes to its history, the session contains the sent and received messages,
 * once.
 */
describe('agent on Anthropic’s Messages API', () => {
  // Holds rule 10.6.
  it.each<[string, string | undefined]>([
    ['without a name', undefined],
    ['under one name', 'sub-agents'],
  ])(
    'starts concurrent sub-agents with the same first words, %s, and each has its own session',
    async (_, name) => {
      const client = anthropicAt(gateway, name === undefined ? {} : { session: name });
      upstream.reply(answer('A.'), answer('B.'), answer('C.'));
      const begun = await Promise.all([1, 2, 3].map(() => ask(client, saying('You are a sub-agent.'))));
      expect(new Set(begun.map(({ session }) => session)).size).toBe(3);
      for (const { text, session } of begun) {
        upstream.reply(answer(`${text} again.`));
        const next = await ask(client, saying('You are a sub-agent.', text, 'Go on.'));
        expect(next.session).toBe(session);
        expect(textsOf(await gateway.exported(session))).toEqual([
          ...['You are a sub-agent.', text, 'Go on.', `${text} again.`],
        ]);
      }
    },
  );

  // Holds rule 10.6.
  it('starts sub-agents with the same first words one after the other, and each answer has its own session', async () => {
    const client = anthropicAt(gateway);
    upstream.reply(answer('First.'), answer('Second.'));
    const [first, second] = [await ask(client, saying('Same.')), await ask(client, saying('Same.'))];
    expect(second.session).not.toBe(first.session);
    expect(textsOf(await gateway.exported(first.session))).toEqual(['Same.', 'First.']);
    expect(textsOf(await gateway.exported(second.session))).toEqual(['Same.', 'Second.']);
  });

  // Holds rule 10.7.
  it('retries after a failure or a broken stream without duplicates', async () => {
    const client = anthropicAt(gateway, { session: 'retried', maxRetries: 2 });
    const retry = { kind: 'failure', failure: 'overloaded', retryAfter: { milliseconds: 1 } } as const;
    upstream.reply(retry, retry, answer('One.'));
    const { text } = await ask(client, saying('Count.'));
    expect(text).toBe('One.');
    upstream.reply(
      { ...answer('Two, or so.'), disturbance: { kind: 'cut', afterEvents: 3 } },
      answer('Two.'),
    );
    const messages = saying('Count.', 'One.', 'Go on.');
    const body = { model: MODEL, max_tokens: 500, messages };
    await expect(client.messages.stream(body).finalMessage()).rejects.toThrow();
    expect((await client.messages.stream(body).finalMessage()).content).toMatchObject([{ text: 'Two.' }]);
    expect(textsOf(await gateway.exported('retried'))).toEqual(['Count.', 'One.', 'Go on.', 'Two.']);
  });

  // Holds rule 10.8.
  it('leaves in the middle of a stream and continues with the received part', async () => {
    const client = anthropicAt(gateway, { session: 'left' });
    upstream.reply({ ...answer(TOLD), disturbance: { kind: 'stall', afterEvents: 5 } });
    const stream = client.messages.stream({ model: MODEL, max_tokens: 500, messages: saying('Tell.') });
    const ended = expect(stream.finalMessage()).rejects.toThrow();
    let heard = '';
    stream.on('text', (_, all) => {
      heard = all;
      stream.abort();
    });
    await ended;
    expect(TOLD.startsWith(heard) && heard !== '').toBe(true);
    expect(await upstream.requests[0]?.ended).toBe('left');
    upstream.reply(answer('So what?'));
    const next = await ask(client, saying('Tell.', heard, 'Stop.'));
    expect(next.session).toBe('left');
    expect(textsOf(await gateway.exported('left'))).toEqual(['Tell.', heard, 'Stop.', 'So what?']);
  });

  // Holds rule 10.5.
  it('edits an early message: a fork has its later messages, and the old session is unchanged', async () => {
    const client = anthropicAt(gateway, { session: 'edited' });
    upstream.reply(answer('1'), answer('2'), answer('3'), answer('4'));
    await ask(client, saying('a'));
    await ask(client, saying('a', '1', 'b'));
    await ask(client, saying('a', '1', 'b', '2', 'c'));
    const edited = await ask(client, saying('A!', '1', 'b', '2', 'c'));
    expect(edited.session).not.toBe('edited');
    expect(textsOf(await gateway.exported('edited'))).toEqual(['a', '1', 'b', '2', 'c', '3']);
    expect(textsOf(await gateway.exported(edited.session))).toEqual(['A!', '1', 'b', '2', 'c', '4']);
  });

  // Holds rule 10.4.
  it('moves cache marks and has the date in its system prompt: both are forwarded, and the session stays the same', async () => {
    const client = anthropicAt(gateway, { session: 'marks' });
    const mark = { cache_control: { type: 'ephemeral' as const } };
    const said: Param[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      upstream.reply(answer(`Answer ${turn}.`));
      said.push({ role: 'user', content: [{ type: 'text', text: `Turn ${turn}.` }] });
      const marked = said.map(
        (message, at): Param =>
          at === said.length - 1
            ? { role: 'user', content: [{ type: 'text', text: `Turn ${turn}.`, ...mark }] }
            : message,
      );
      const system = [{ type: 'text' as const, text: `It is day ${turn}.`, ...mark }];
      const { content } = await client.beta.messages.create({
        model: MODEL,
        max_tokens: 500,
        system,
        messages: marked,
      });
      said.push({ role: 'assistant', content });
      expect(upstream.requests[turn]?.body).toMatchObject({ system, messages: marked });
    }
    expect(textsOf(await gateway.exported('marks'))).toHaveLength(8);
  });

  // Holds rule 10.2.
  it('sends images, thinking, parallel calls and errors, which the session contains completely', async () => {
    const client = anthropicAt(gateway, { session: 'blocks' });
    const data =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data },
    };
    const common = {
      ...{ model: MODEL, max_tokens: 4_000, thinking: { type: 'adaptive' as const } },
      tools: [{ name: 'read', input_schema: { type: 'object' as const } }],
    };
    const messages: Param[] = [{ role: 'user', content: [image, { type: 'text', text: 'What is it?' }] }];
    upstream.reply(
      answer(
        thinking('A dot.'),
        redactedThinking('x'),
        'I look.',
        call('read', { a: 1 }),
        call('read', { b: 2 }),
      ),
      answer(thinking('Broken.'), 'A dot.'),
      answer('Yes.'),
    );
    const first = await client.beta.messages.create({ ...common, messages });
    const calls = first.content.filter((block) => block.type === 'tool_use');
    const results = calls.map(({ id }, at) => ({
      ...{ type: 'tool_result' as const, tool_use_id: id, is_error: at === 0 },
      content: at === 0 ? 'ENOENT' : [{ type: 'text' as const, text: 'ok' }, image],
    }));
    messages.push({ role: 'assistant', content: first.content }, { role: 'user', content: results });
    const second = await client.beta.messages.stream({ ...common, messages }).finalMessage();
    messages.push({ role: 'assistant', content: second.content }, { role: 'user', content: 'Sure?' });
    const third = await client.beta.messages.create({ ...common, messages });
    expect(upstream.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await gateway.exported('blocks')).toEqual([
      ...messages.slice(0, 4).map(({ role, content }) => ({ role, content })),
      { role: 'user', content: [{ type: 'text', text: 'Sure?' }] },
      { role: 'assistant', content: third.content },
    ]);
  });

  // Holds rule 10.5.
  it('edits its history by turning a result into an error', async () => {
    const client = anthropicAt(gateway, { session: 'errors' });
    const tools = [{ name: 'read', input_schema: { type: 'object' as const } }];
    const messages = (isError: boolean): Anthropic.MessageParam[] => [
      { role: 'user', content: 'Read.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'read', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', content: 'gone', is_error: isError }],
      },
    ];
    const first = await ask(client, messages(false), { tools });
    const second = await ask(client, messages(true), { tools });
    expect(second.session).not.toBe(first.session);
    expect((await gateway.exported(second.session))[2]?.content).toMatchObject([{ is_error: true }]);
  });

  // Holds rule 10.17.
  it('sends empty messages or asks to continue an answer, which are forwarded', async () => {
    const client = anthropicAt(gateway, { session: 'nothing' });
    await expect(ask(client, saying(''))).rejects.toMatchObject({ status: 400 });
    await expect(ask(client, [])).rejects.toMatchObject({ status: 400, message: /at least one message/ });
    upstream.reply(answer('one, two'));
    const old = { model: 'claude-haiku-4-5' };
    expect((await ask(client, saying('Count.', 'One,'), old)).text).toBe('one, two');
    await ask(client, saying('Count.', 'One,one, two', 'Go on.'), old);
    expect(upstream.requests.at(-1)?.status).toBe(200);
  });

  it('may send 20 MB, but not more than its provider accepts', async () => {
    const wide = await AnthropicServer.start({ windows: { [MODEL]: 20_000_000 } });
    const other = await GatewayProcess.start({ anthropic: [wide.url] });
    const client = anthropicAt(other, { session: 'large' });
    wide.reply(answer('Read.'), answer('Again.'));
    const text = 'x'.repeat(20 * 1_048_576);
    expect((await ask(client, saying(text))).text).toBe('Read.');
    expect((await ask(client, saying(text, 'Read.', 'And?'))).text).toBe('Again.');
    expect(await other.exported('large')).toHaveLength(4);
    await expect(ask(client, saying('x'.repeat(33 * 1_048_576)))).rejects.toMatchObject({ status: 413 });
    await other.close();
    await wide.close();
  });

  // Holds rule 10.14.
  it('without a provider key or an API key receives an error in its provider’s format', async () => {
    const send = (headers: Record<string, string>) =>
      fetch(`${gateway.anthropic}/v1/messages`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
        body: JSON.stringify({ model: MODEL, max_tokens: 9, messages: saying('Hello.') }),
      });
    for (const headers of [{}, { 'x-api-key': KEY }, { authorization: `Bearer ${KEY}` }]) {
      const response = await send(headers);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
    }
    const refused = await send({ 'x-palimpsest-key': 'wrong', 'x-api-key': 'of-the-provider' });
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringContaining('x-palimpsest-key') },
    });
  });

  it('receives the name of a misspelled header, and the nearest valid one', async () => {
    const client = anthropicAt(gateway, { session: 'misspelled', headers: { 'x-palimpsest-windw': '9000' } });
    const refused = await ask(client, saying('Hello.')).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 400 });
    expect(String(refused)).toMatch(/did you mean .*x-palimpsest-window/);
  });

  it('is served with an unknown model, for which the window is assumed and reported', async () => {
    const server = await AnthropicServer.start();
    const client = anthropicAt(gateway, { session: 'unknown', headers: { 'x-palimpsest-window': '' } });
    const asked = await ask(client, saying('Hello.'), { model: 'my-own-model' }).catch(
      (error: unknown) => error,
    );
    expect(asked).toMatchObject({ status: 404 });
    const [opened] = await gateway.events('unknown');
    expect(opened?.data).toMatchObject({
      model: 'my-own-model',
      limits: { windowSource: expect.any(String) },
    });
    await server.close();
  });
});
