import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from './support/api-server.js';

const LARGE = Array.from({ length: 9_000 }, (_, line) => `${line + 1}: größe=${line * 7}`).join('\n');

/** Covers recall over HTTP, by the caller, and by the model through its tool. */
describe('recall of omitted messages', () => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await ApiServer.start();
  });
  afterAll(() => api.stop());
  const post = (path: string, body: unknown = {}) => api.call('POST', `/v1/sessions${path}`, body);
  const get = (path: string) => api.call('GET', `/v1/sessions${path}`);
  const bodyOf = async (session: string): Promise<string> =>
    String(((await post(`/${session}/compose`, { withBody: true })).body as { body: string }).body);

  const readsAFile = (call: string, content: string) => [
    { id: `q-${call}`, role: 'user', content: `Read ${call}.` },
    {
      id: `a-${call}`,
      role: 'assistant',
      content: [{ type: 'tool_use', id: call, name: 'Query', input: {} }],
    },
    { id: `r-${call}`, role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content }] },
    { id: `e-${call}`, role: 'assistant', content: `It is read: ${call}.` },
  ];
  const offloading = { overrides: { stages: ['offload-results', 'summarize'], maxResultTokens: 500 } };

  // Holds rule 2.25.
  it('returns the exact bytes by message, block, call, byte range and lines', async () => {
    await post('', { session: 'stored', window: 200_000 });
    await api.call('PATCH', '/v1/sessions/stored/settings', offloading);
    await post('/stored/messages', { messages: readsAFile('toolu_1', LARGE) });
    const body = await bodyOf('stored');
    expect(body).toContain('GET /v1/sessions/{session}/messages/a-toolu_1?call=toolu_1');
    expect(body).not.toContain('4500: ');

    const path = '/stored/messages/a-toolu_1?call=toolu_1';
    expect(await get(path)).toMatchObject({
      status: 200,
      body: { id: 'r-toolu_1', role: 'user', block: 0, content: [{ type: 'tool_result', content: LARGE }] },
    });
    const lines = { unit: 'lines', from: 4_500, count: 2, of: 9_000 };
    expect(await get(`${path}&line=4500&lines=2`)).toMatchObject({
      body: { content: [], part: { ...lines, text: '4500: größe=31493\n4501: größe=31500' } },
    });
    let read = '';
    for (let byte = 0; byte < Buffer.byteLength(LARGE); ) {
      const { body: stored } = await get(`/stored/messages/r-toolu_1?block=0&byte=${byte}&bytes=60001`);
      const { text, count } = (stored as { part: { text: string; count: number } }).part;
      read += text;
      byte += count;
    }
    expect(read).toBe(LARGE);
    expect(await get('/stored/messages/nobody')).toMatchObject({
      status: 404,
      body: { code: 'message-not-found' },
    });
    expect(await get('/stored/messages/r-toolu_1?block=7')).toMatchObject({ status: 404 });
    expect(await get('/stored/messages/r-toolu_1?line=1')).toMatchObject({ status: 400 });
  });

  // Holds rule 2.25.
  it('works after a compaction, and in a fork made after it', async () => {
    await post('', { session: 'covered', window: 20_000 });
    const messages = Array.from({ length: 9 }, (_, turn) => [
      { id: `u${turn}`, role: 'user', content: `Question ${turn}.` },
      { id: `a${turn}`, role: 'assistant', content: `Answer ${turn}. ${'It is done. '.repeat(150)}` },
    ]).flat();
    await post('/covered/messages', { messages, stopReason: 'end_turn' });
    expect((await post('/covered/compactions?wait=true')).body).toMatchObject({ outcome: 'completed' });
    await post('/covered/fork', { as: 'covered-fork' });
    expect(await bodyOf('covered')).toContain('GET /v1/sessions/{session}/messages/{id}');
    for (const session of ['covered', 'covered-fork'])
      expect(await get(`/${session}/messages/u1`)).toMatchObject({
        status: 200,
        body: { session: 'covered', id: 'u1', content: [{ type: 'text', text: 'Question 1.' }] },
      });
  });

  // Holds rule 2.25.
  it('is offered to the model as a tool in every provider’s request', async () => {
    await post('', {
      session: 'tool',
      window: 20_000,
      tools: [{ name: 'Query', input_schema: { type: 'object' } }],
    });
    const recalling = { overrides: { ...offloading.overrides, recall: true } };
    await api.call('PATCH', '/v1/sessions/tool/settings', recalling);
    await post('/tool/messages', { messages: readsAFile('toolu_2', LARGE.slice(0, 40_000)) });
    const body = await bodyOf('tool');
    expect(JSON.parse(body).tools).toMatchObject([{ name: 'Query' }, { name: 'recall_history' }]);
    expect(JSON.parse(body).messages[2].content[0].content).toContain('recall_history {"call":"toolu_2"}');
    for (const format of ['openai-chat', 'openai-responses'])
      expect(await post('/tool/compose', { format })).toMatchObject({
        body: {
          request: { tools: expect.arrayContaining([expect.objectContaining({ type: 'function' })]) },
        },
      });

    const first = await post('/tool/recall', { call: 'toolu_2' });
    expect(first).toMatchObject({ status: 200, body: { isError: false, messages: ['r-toolu_2'] } });
    const { content } = first.body as { content: string };
    expect(content).toContain(LARGE.slice(0, 19_000));
    expect(content).toContain('go on with "offset": 20000');
    const second = await post('/tool/recall', { call: 'toolu_2', offset: 20_000 });
    expect((second.body as { content: string }).content).toContain(LARGE.slice(21_000, 39_000));

    const more = Array.from({ length: 9 }, (_, turn) => [
      { id: `u${turn}`, role: 'user', content: `Question ${turn}.` },
      { id: `a${turn}`, role: 'assistant', content: `Answer ${turn}. ${'It is done. '.repeat(120)}` },
    ]).flat();
    await post('/tool/messages', { messages: more, stopReason: 'end_turn' });
    expect((await post('/tool/compactions?wait=true')).body).toMatchObject({ outcome: 'completed' });
    expect(await bodyOf('tool')).toContain('The tool recall_history returns the messages');
    const before = (await post('/tool/recall', { messages: 2 })).body as {
      content: string;
      messages: string[];
    };
    expect(before.messages).toHaveLength(2);
    const read: string[] = [];
    for (let [first] = before.messages; first !== undefined; ) {
      const { body } = await post('/tool/recall', { before: first, messages: 50 });
      const { messages } = body as { messages: string[] };
      read.unshift(...messages);
      [first] = messages;
    }
    expect(read.slice(0, 5)).toEqual(['q-toolu_2', 'a-toolu_2', 'r-toolu_2', 'e-toolu_2', 'u0']);
    expect(await post('/tool/recall', { message: 'u1' })).toMatchObject({
      body: { content: expect.stringContaining('Question 1.'), messages: ['u1'] },
    });
    expect(await post('/tool/recall', { message: 'none' })).toMatchObject({
      status: 200,
      body: { isError: true },
    });
    expect(await post('/tool/recall', { messages: 0 })).toMatchObject({ body: { isError: true } });
  });
});
