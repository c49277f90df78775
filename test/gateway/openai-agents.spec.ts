import { answer, call, thinking } from '@app/testing/providers';
import { describe, expect, it } from '@jest/globals';
import type OpenAI from 'openai';
import { GPT, openAiAt, saying } from './support/clients.js';
import { startGateway } from './support/start-gateway.js';

const { openai: upstream, gateway } = await startGateway();

type Item = OpenAI.Responses.ResponseInputItem;
type Said = OpenAI.ChatCompletionMessageParam;
const textsOf = (exported: readonly { readonly content: unknown }[]) =>
  exported.map(({ content }) => Object(content)[0]?.text);

/**
 * Guarantee: after any edit that an agent makes to its history, the session contains the sent and received messages,
 * once.
 */
describe('agent on OpenAI’s APIs', () => {
  const chat = async (
    session: string,
    messages: Said[],
    more: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {},
  ) => {
    const client = openAiAt(gateway, { session });
    const { data, response } = await client.chat.completions
      .create({ model: GPT, messages, ...more })
      .withResponse();
    return { ...data, session: response.headers.get('x-palimpsest-session') ?? '' };
  };

  // Holds rule 10.5.
  it('requests several choices and continues from any of them', async () => {
    upstream.reply(answer('First.'), answer('Second.'));
    const { choices, session } = await chat('choices', saying('Choose.'), { n: 2 });
    const said = choices.map(({ message }) => message.content ?? '');
    expect(textsOf(await gateway.exported(session))).toEqual(['Choose.', said[0]]);
    const next = await chat('choices', saying('Choose.', 'Of my own.', 'Why?'));
    expect(textsOf(await gateway.exported(next.session)).slice(0, 3)).toEqual([
      'Choose.',
      'Of my own.',
      'Why?',
    ]);
  });

  // Holds rule 10.2.
  it.each([true, false])(
    'streams with usage option %s, and each answer is recorded once',
    async (asksForUsage) => {
      const session = `streamed-${asksForUsage}`;
      const client = openAiAt(gateway, { session });
      const messages: Said[] = [{ role: 'developer', content: 'Be brief.' }];
      for (let turn = 0; turn < 3; turn += 1) {
        messages.push({ role: 'user', content: `Question ${turn}.` });
        upstream.reply(
          turn === 1
            ? answer('I look.', call('read', { a: 1 }), call('read', { b: 'ä' }))
            : answer(`Answer ${turn}.`),
        );
        const stream = client.chat.completions.stream({
          ...{ model: GPT, messages },
          tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }],
          ...(asksForUsage && { stream_options: { include_usage: true } }),
        });
        const { message } = (await stream.finalChatCompletion()).choices[0] ?? {};
        const { content = null, tool_calls: calls } = message ?? {};
        messages.push({ role: 'assistant', content, ...(calls && { tool_calls: calls }) });
        for (const { id } of calls ?? []) messages.push({ role: 'tool', tool_call_id: id, content: id });
      }
      expect(upstream.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await gateway.exported(session)).map(({ role }) => role)).toEqual([
        ...['user', 'assistant', 'user', 'assistant', 'user', 'user', 'user', 'assistant'],
      ]);
      const types = await gateway.types(session);
      expect(types.filter((type) => type === 'UsageReported')).toHaveLength(asksForUsage ? 3 : 0);
    },
  );

  // Holds rule 10.2.
  it('uses legacy functions instead of tools, and the session contains calls and results', async () => {
    const functions = [{ name: 'read', parameters: { type: 'object' } }];
    const messages: Said[] = [
      { role: 'user', content: 'Read.' },
      { role: 'assistant', content: null, function_call: { name: 'read', arguments: '{"path":"a"}' } },
      { role: 'function', name: 'read', content: 'It is empty.' },
    ];
    upstream.reply(answer('Empty.'), answer('Empty, too.'));
    const asked = { functions, function_call: 'auto' as const };
    const { choices } = await chat('functions', messages, asked);
    messages.push({ role: 'assistant', content: choices[0]?.message.content ?? '' });
    messages.push({ role: 'user', content: 'And b?' }, ...messages.slice(1, 3));
    const { session } = await chat('functions', messages, asked);
    expect(session).toBe('functions');
    const used = { type: 'tool_use', name: 'read', input: { path: 'a' } };
    const came = { type: 'tool_result', content: 'It is empty.' };
    expect((await gateway.exported(session)).map(({ content }) => Object(content)[0])).toMatchObject([
      ...[{ text: 'Read.' }, used, came, { text: 'Empty.' }],
      ...[{ text: 'And b?' }, used, came, { text: 'Empty, too.' }],
    ]);
    const [opened] = await gateway.events(session);
    expect(opened?.data).toMatchObject({ tools: [{ type: 'function', function: functions[0] }] });
  });

  // Holds rule 10.4.
  it('changes its developer message each time, first or in between, and stays in its session', async () => {
    const sessions = new Set<string>();
    const said: Said[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      said.push({ role: 'user', content: `Turn ${turn}.` });
      upstream.reply(answer(`Answer ${turn}.`));
      const { choices, session } = await chat('developer', [
        { role: 'developer', content: `Day ${turn}.` },
        ...said,
      ]);
      sessions.add(session);
      said.push({ role: 'assistant', content: choices[0]?.message.content ?? '' });
      if (turn === 1) said.push({ role: 'developer', content: 'Be brief now.' });
    }
    expect([...sessions]).toEqual(['developer']);
    expect((await gateway.exported('developer')).map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'user', 'assistant', 'system', 'user', 'assistant'],
    ]);
  });

  it('sends an empty message or an image, which are recorded', async () => {
    const image_url = { url: 'data:image/png;base64,iVBORw0KGgo=' };
    const messages: Said[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See.' },
          { type: 'image_url', image_url },
        ],
      },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'And?' },
    ];
    upstream.reply(answer('A dot.'), answer('Yes.'));
    const { session } = await chat('empty', messages);
    const next = await chat('empty', [...messages, ...saying('', 'A dot.', 'Sure?').slice(1)] as Said[]);
    expect(next.session).toBe(session);
    expect(upstream.requests.map(({ body }) => Object(body.messages).length)).toEqual([3, 5]);
    expect((await gateway.exported(session))[0]?.content).toMatchObject([
      { text: 'See.' },
      { type: 'image' },
    ]);
  });

  // Holds rule 10.16.
  it('leaves its history to its provider, whose reasoning it never sees, and has one session', async () => {
    const client = openAiAt(gateway, { session: 'stored' });
    upstream.reply(answer(thinking('Hm.'), 'One.'), answer('Two.'), answer('Two, again.'), answer('Three.'));
    const create = (input: string, previous?: string) =>
      client.responses
        .create({
          model: GPT,
          input,
          store: true,
          ...(previous !== undefined && { previous_response_id: previous }),
        })
        .withResponse();
    const first = await create('Count.');
    const second = await create('Go on.', first.data.id);
    const branch = await create('Go on, again.', first.data.id);
    const third = await create('And?', second.data.id);
    const sessionOf = ({ response }: { response: Response }) =>
      response.headers.get('x-palimpsest-session') ?? '';
    expect([sessionOf(second), sessionOf(third)]).toEqual(['stored', 'stored']);
    expect((await gateway.exported('stored')).map(({ role }) => role)).toHaveLength(6);
    expect(sessionOf(branch)).not.toBe('stored');
    expect(await gateway.exported(sessionOf(branch))).toHaveLength(4);
  });

  // Holds rule 10.4.
  it('keeps its whole history, with or without reasoning and item ids, and has one session', async () => {
    const client = openAiAt(gateway, { session: 'stateless' });
    const input: Item[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      input.push({ role: 'user', content: `Turn ${turn}.` });
      upstream.reply(
        answer(
          thinking(`Hm ${turn}.`),
          `Answer ${turn}.`,
          ...(turn === 1 ? [call('read', { a: turn })] : []),
        ),
      );
      const { output } = await client.responses.create({
        ...{ model: GPT, input, store: false, include: ['reasoning.encrypted_content'] },
        tools: [{ type: 'function', name: 'read', parameters: { type: 'object' }, strict: false }],
      });
      for (const item of output) {
        if (turn === 2 && item.type === 'reasoning') continue;
        const { id: _, ...rest } = Object(item);
        input.push(turn > 0 ? rest : item);
        if (item.type === 'function_call')
          input.push({ type: 'function_call_output', call_id: item.call_id, output: 'ok' });
      }
    }
    expect(upstream.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await gateway.exported('stateless')).map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'user', 'assistant', 'user', 'user', 'assistant', 'user', 'assistant'],
    ]);
  });

  it('has its provider compact, unchanged and without a session', async () => {
    upstream.reply(answer('They greeted each other.'));
    const input = [{ role: 'user', content: 'Good morning.' }];
    const body = { model: GPT, input };
    const compacted = await openAiAt(gateway).post('/responses/compact', { body });
    expect(compacted).toMatchObject({ object: 'response.compaction', output: expect.any(Array) });
    expect(upstream.requests).toMatchObject([{ path: '/v1/responses/compact', body }]);
  });
});
