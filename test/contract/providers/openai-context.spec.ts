import { answer, call, fail, OpenAiServer, thinking } from '@app/testing/providers';
import type OpenAI from 'openai';
import { openAiClient } from './support/openai.js';

type Item = OpenAI.Responses.ResponseInputItem;
const MODEL = 'gpt-5.4';
const hello: Item = { role: 'user', content: 'Hello' };
const long: Item = { role: 'user', content: 'long '.repeat(2_000) };

describe('context management of the OpenAI server', () => {
  let server: OpenAiServer;
  let client: OpenAI;
  beforeAll(async () => {
    server = await OpenAiServer.start();
    client = openAiClient(server.url);
  });
  afterAll(() => server.close());
  beforeEach(() => server.forget());
  const create = (input: Item[], more: Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming> = {}) =>
    client.responses.create({ model: MODEL, input, ...more });
  const inputOf = (output: OpenAI.Responses.ResponseOutputItem[]): Item[] =>
    JSON.parse(JSON.stringify(output));

  it('compacts after the answer above the threshold, whole and streamed', async () => {
    const more = { context_management: [{ type: 'compaction', compact_threshold: 1_000 }], store: false };
    const { output } = await create([long], more);
    expect(output.map(({ type }) => type)).toEqual(['message', 'compaction']);
    expect(JSON.stringify(output[1])).not.toContain('Summary');
    const stream = client.responses.stream({ model: MODEL, input: [long], ...more });
    expect((await stream.finalResponse()).output.map(({ type }) => type)).toEqual(['message', 'compaction']);
    expect((await create([hello], more)).output.map(({ type }) => type)).toEqual(['message']);
    const next = await create([...inputOf(output).slice(1), hello], { store: false });
    expect(next.usage?.input_tokens).toBeLessThan(200);
  });

  it('drops assistant messages before a compaction item that is sent back', async () => {
    server.reply(answer('word '.repeat(2_000)));
    const { output: said } = await create([hello]);
    const compacted = await client.responses.compact({
      model: MODEL,
      input: [hello, ...inputOf(said), hello],
    });
    const [compaction] = inputOf(compacted.output).slice(-1);
    if (!compaction) throw new Error('nothing was compacted');
    const { usage } = await create([hello, ...inputOf(said), compaction, hello]);
    expect(usage?.input_tokens).toBeLessThan(500);
  });

  it('compacts on demand to the user’s messages and one opaque item', async () => {
    server.reply(answer('Secret summary.'));
    const sent = { model: MODEL, input: [hello, { role: 'assistant' as const, content: 'Yes.' }, long] };
    const { object, output, usage } = await client.responses.compact(sent);
    expect(object).toBe('response.compaction');
    expect(output.map(({ type }) => type)).toEqual(['message', 'message', 'compaction']);
    expect(JSON.stringify(output)).not.toContain('Secret');
    expect(usage.output_tokens).toBeGreaterThan(0);
    expect((await create([...inputOf(output), hello])).status).toBe('completed');
    server.reply(fail('server-error'));
    await expect(client.responses.compact(sent)).rejects.toMatchObject({ status: 500 });
  });

  it('compacts if the trigger is the last item', async () => {
    const { output } = await create([long, { type: 'compaction_trigger' }]);
    expect(output.map(({ type }) => type)).toEqual(['compaction']);
  });

  it('continues from a stored response, and from its items by id', async () => {
    server.reply(answer(thinking('Hm.'), call('read', {}, 'call_1')));
    const first = await create([long]);
    const result: Item = { type: 'function_call_output', call_id: 'call_1', output: 'done' };
    const second = await create([result], { previous_response_id: first.id });
    expect(second.usage?.input_tokens).toBeGreaterThan(first.usage?.input_tokens ?? Number.NaN);
    const [reasoning, called] = first.output.map(
      ({ id }): Item => ({ type: 'item_reference', id: id ?? '' }),
    );
    if (!reasoning || !called) throw new Error('two items were said');
    expect((await create([long, reasoning, called, result])).status).toBe('completed');
    await expect(create([long, called, result])).rejects.toThrow("without its required 'reasoning' item");
    await expect(create([long, reasoning])).rejects.toThrow('without its required following item');
  });

  it('accepts encrypted reasoning by value, and other reasoning only if stored', async () => {
    server.reply(answer(thinking('Hm.'), 'Yes.'));
    const encrypted = await create([hello], { store: false, include: ['reasoning.encrypted_content'] });
    expect((await create([hello, ...inputOf(encrypted.output), hello])).status).toBe('completed');
    server.reply(answer(thinking('Hm.'), 'Yes.'));
    const plain = await create([hello], { store: false });
    await expect(create([hello, ...inputOf(plain.output), hello])).rejects.toMatchObject({ status: 404 });
    await expect(create([hello], { previous_response_id: plain.id })).rejects.toMatchObject({
      code: 'previous_response_not_found',
    });
  });

  it('counts the input that it bills', async () => {
    const counted = await client.responses.inputTokens.count({ model: MODEL, input: [long] });
    expect(counted).toMatchObject({ object: 'response.input_tokens' });
    expect((await create([long])).usage?.input_tokens).toBe(counted.input_tokens);
  });
});
