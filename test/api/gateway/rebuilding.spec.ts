import { AnthropicServer, answer, call, fail, type Reply, thinking } from '@app/testing/providers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiServer, KEY } from '../support/api-server.js';
import { eventsOf, expectRebuilt } from '../support/rebuilt.js';

const MODEL = 'claude-opus-4-6';
/** About 340 tokens. */
const long = (text: string): string =>
  `${text} ${'The quick brown fox jumps over the lazy dog. '.repeat(30)}`;

type Said = { role: 'user' | 'assistant'; content: unknown };
type Written = (body: object) => string;

/** Writes JSON with spaces after its separators and all non-ASCII escaped. */
const spaced: Written = (body) => {
  const write = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
    if (typeof value !== 'object' || value === null) {
      return JSON.stringify(value).replace(
        /[\u007f-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
    const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${write(one)}`);
    return `{${members.join(', ')}}`;
  };
  return write(body);
};

/** Guarantee: every request to a provider can be rebuilt from the log, byte for byte. */
describe('rebuilt gateway requests', () => {
  let anthropic: AnthropicServer;
  let api: ApiServer;
  let answered = 0;
  const script = (): Reply => {
    answered += 1;
    return answer(long(`Answer ${answered} – näher.`));
  };
  beforeAll(async () => {
    anthropic = await AnthropicServer.start({ script, windows: { [MODEL]: 40_000 } });
    api = await ApiServer.start({ PALIMPSEST_GATEWAY_ANTHROPIC: anthropic.url });
  });
  afterAll(async () => {
    await api.stop();
    await anthropic.close();
  });
  beforeEach(() => anthropic.forget());

  /** The session of each request. */
  const answeredIn: (string | null)[] = [];
  /** Sends one request and appends its answer to the history. */
  const ask = async (
    session: string,
    messages: Said[],
    more: Readonly<Record<string, unknown>> = {},
    { write = JSON.stringify as Written, window = 4_000, recall = 'off' } = {},
  ): Promise<number> => {
    const body = { model: MODEL, max_tokens: 300, ...more, messages };
    const response = await fetch(`${api.url}/gateway/anthropic/v1/messages`, {
      method: 'POST',
      headers: {
        ...{ 'x-palimpsest-key': KEY, 'x-palimpsest-session': session, 'x-api-key': 'p' },
        ...{ 'x-palimpsest-window': String(window), 'anthropic-version': '2023-06-01' },
        ...{ 'content-type': 'application/json', 'x-palimpsest-recall': recall },
      },
      body: write(body),
    });
    answeredIn.push(response.headers.get('x-palimpsest-session'));
    const said: { content?: unknown } = Object(await response.json());
    if (response.status === 200) messages.push({ role: 'assistant', content: said.content });
    return response.status;
  };
  const sentBodies = (): readonly string[] => anthropic.requests.map(({ text }) => text);

  // Holds rule 6.15.
  it('contain the system prompt, tools and parameters of each request', async () => {
    const messages: Said[] = [{ role: 'user', content: 'Hello.' }];
    const tool = { name: 'delete', description: 'Deletes a file.', input_schema: { type: 'object' } };
    await ask('parts', messages, { system: 'You are A.' });
    messages.push({ role: 'user', content: 'And now?' });
    await ask('parts', messages, {
      ...{ system: 'You are B, and may delete files.', tools: [tool], temperature: 0.3 },
      metadata: { user_id: 'someone' },
    });
    messages.push({ role: 'user', content: 'Again.' });
    await ask('parts', messages, { temperature: 1, system: 'You are A.' });

    const rebuilt = await expectRebuilt(api, 'parts');
    expect(rebuilt.map(({ body }) => body)).toEqual(sentBodies());
    expect(rebuilt.map(({ view }) => view.systemPrompt)).toEqual([
      'You are A.',
      'You are B, and may delete files.',
      'You are A.',
    ]);
    expect(rebuilt.map(({ view }) => Object(view.tools).length)).toEqual([0, 1, 0]);
    const changed = (await eventsOf(api, 'parts')).filter(({ type }) => type === 'RequestPartsChanged');
    expect(JSON.stringify(changed)).toContain('You are B, and may delete files.');

    messages.push({ role: 'user', content: 'Last.' });
    await ask('parts', messages, { system: 'You are B, and may delete files.', tools: [tool] });
    const { body } = await api.call('GET', '/v1/sessions/parts/context');
    expect(body).toMatchObject({
      systemPrompt: 'You are B, and may delete files.',
      tools: [tool],
      requestId: null,
      request: { system: 'You are B, and may delete files.' },
    });
  });

  // Holds rule 6.14.
  it('preserve the client’s JSON formatting across compactions and moving cache marks', async () => {
    const messages: Said[] = [];
    for (let turn = 1; turn <= 14; turn += 1) {
      const text = long(`Frage ${turn}: „wie“ 😀?`);
      messages.push({ role: 'user', content: text });
      // The newest message has the mark, and loses it with the next request.
      const marked = messages.map((one, at) =>
        at === messages.length - 1
          ? { role: one.role, content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }] }
          : one,
      );
      const system = [
        { type: 'text', text: `Sei knapp. Heute ist Tag ${turn} – ${'wirklich '.repeat(200)}` },
      ];
      expect(await ask('form', marked, { system }, { write: spaced })).toBe(200);
      messages.push(...marked.slice(messages.length));
    }
    const events = await eventsOf(api, 'form');
    expect(events.filter(({ type }) => type === 'CompactionApplied').length).toBeGreaterThan(1);
    const rebuilt = await expectRebuilt(api, 'form');
    expect(rebuilt.map(({ body }) => body)).toEqual(sentBodies());
    // A small change of a long part is recorded as a difference.
    const changes = events.filter(({ type }) => type === 'RequestPartsChanged').slice(1);
    expect(Math.max(...changes.map(({ data }) => JSON.stringify(data).length))).toBeLessThan(3_500);
  });

  // Holds rule 6.14.
  it('are identical after a ladder rung, a fork, a pin and a switch of the model', async () => {
    const window = 20_000;
    const steps = Array.from({ length: 6 }, (_, at): Said[] => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name: 'read', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: long(`${at}`).repeat(3) }],
      },
    ]).flat();
    const tools = [{ name: 'read', input_schema: { type: 'object' } }];
    const messages: Said[] = [{ role: 'user', content: 'Read all.' }, ...steps];
    anthropic.reply(fail('overflow'), answer('Read.'));
    expect(await ask('rung', messages, { tools }, { window })).toBe(200);
    const { length } = messages;

    await api.call('PUT', '/v1/sessions/rung/pins/rule', { kind: 'constraint', text: 'Never delete.' });
    messages.push({ role: 'user', content: 'Go on.' });
    anthropic.reply(answer(thinking('Hm.'), 'Done.'));
    expect(await ask('rung', messages, { tools }, { window })).toBe(200);
    messages.push({ role: 'user', content: 'With another one.' });
    expect(await ask('rung', messages, { tools, model: 'claude-sonnet-4-5' }, { window })).toBe(200);

    const other: Said[] = [...messages.slice(0, length), { role: 'user', content: 'Otherwise.' }];
    anthropic.reply(answer(call('read', { path: 'a' })));
    expect(await ask('rung', other, { tools }, { window })).toBe(200);

    const rebuilt = await expectRebuilt(api, 'rung');
    expect(rebuilt.filter(({ ladder }) => ladder !== undefined)).toHaveLength(1);
    const forked = await expectRebuilt(api, String(answeredIn.at(-1)));
    const sent = sentBodies();
    for (const one of [...rebuilt, ...forked]) expect(sent).toContain(one.body);
    expect(rebuilt.length + forked.length).toBe(new Set(sent).size);
  });

  // Holds rule 6.14.
  it.each([
    ['off', JSON.stringify],
    ['on', spaced],
  ])(
    'are identical for a long history that is continued and edited, with recall %s',
    async (recall, write) => {
      const [book, system, window] = [`book-${recall}`, 'You read a book.', 200_000];
      const tools = [{ name: 'turn_page', input_schema: { type: 'object' } }];
      const pages = Array.from({ length: 8 }, (_, at): Said[] => [
        { role: 'user', content: `Page ${at}: ${'è una pagina '.repeat(2_500)}` },
        { role: 'assistant', content: [{ type: 'text', text: `Read ${at}.` }] },
      ]).flat();
      const messages: Said[] = [...pages, { role: 'user', content: 'Go on.' }];
      const send = async (history: Said[], text: string): Promise<string> => {
        const model = 'claude-sonnet-4-5';
        const more = { system, model, tools, metadata: { user_id: text } };
        expect(await ask(book, history, more, { window, write, recall })).toBe(200);
        history.push({ role: 'user', content: text });
        return String(answeredIn.at(-1));
      };
      const edited: Said[] = messages.with(12, { role: 'user', content: 'Another page.' });
      const sessions = [
        await send(messages, 'And?'),
        await send(messages, 'And then?'),
        await send(edited, 'What?'),
        await send(messages, 'In the end?'),
        await send(edited, 'Why?'),
      ];
      const [own, , fork] = sessions;
      expect(sessions).toEqual([own, own, fork, own, fork]);
      expect(fork).not.toBe(own);

      const rebuilt = await expectRebuilt(api, book);
      const forked = await expectRebuilt(api, String(fork));
      const sent = sentBodies();
      for (const body of sent) expect(body.includes('"name":"recall')).toBe(recall === 'on');
      expect(rebuilt.map(({ body }) => body)).toEqual([sent[0], sent[1], sent[3]]);
      expect(forked.slice(-2).map(({ body }) => body)).toEqual([sent[2], sent[4]]);
      const events = [...(await eventsOf(api, book)), ...(await eventsOf(api, String(fork)))];
      expect(JSON.stringify(events)).not.toContain('"literal":');
    },
  );
});
