import { linesOf, readTranscript } from '@app/testing';
import { RAW_ARGUMENTS } from '../wires/openai-chat/convert-call.js';
import { chatItems } from '../wires/openai-chat/items.js';

const text = (words: string) => ({ type: 'text', text: words });
const call = (id: string | undefined, name: string, given: unknown) => ({
  id,
  type: 'function',
  function: { name, arguments: given },
});
const answering = (...calls: readonly unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls });
/** Without the original item that is kept beside the block. */
const told = ({ openai: _, ...block }: Readonly<Record<string, unknown>>) => block;
const blocksOf = async (...messages: readonly unknown[]) => {
  const { format, messages: read } = await readTranscript(
    JSON.stringify({ messages: [{ role: 'system', content: 'be brief' }, ...messages] }),
  );
  expect(format).toBe('openai-messages');
  return read.slice(1).map(({ blocks }) => blocks.map(told));
};
const inputOf = async (given: unknown) => (await blocksOf(answering(call('c', 'n', given))))[0]?.[0]?.input;

describe('an OpenAI message', () => {
  it('is mapped to a role of this engine', async () => {
    const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];
    const { messages } = await readTranscript(JSON.stringify(roles.map((role) => ({ role, content: 'x' }))));
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'system',
      'user',
      'assistant',
      'user',
      'user',
    ]);
  });

  // Holds rule 1.3.
  it('has its reasoning, text and calls in this order', async () =>
    expect(
      await blocksOf({
        role: 'assistant',
        reasoning_content: 'hm',
        content: 'I look',
        refusal: 'but not there',
        tool_calls: [call('c1', 'look', '{"at":1}'), call('c2', 'look', { at: 2 })],
      }),
    ).toEqual([
      [
        { type: 'thinking', thinking: 'hm' },
        text('I look'),
        text('but not there'),
        { type: 'tool_use', id: 'c1', name: 'look', input: { at: 1 } },
        { type: 'tool_use', id: 'c2', name: 'look', input: { at: 2 } },
      ],
    ]));

  it('keeps arguments that are not a JSON object as raw text', async () => {
    expect(await inputOf('{"at":')).toEqual({ [RAW_ARGUMENTS]: '{"at":' });
    expect(await inputOf('[1, 2]')).toEqual({ [RAW_ARGUMENTS]: '[1, 2]' });
    expect(await inputOf('null')).toEqual({ [RAW_ARGUMENTS]: 'null' });
    expect(await inputOf([1])).toEqual({ [RAW_ARGUMENTS]: '[1]' });
    expect(await inputOf(`${'['.repeat(9_999)}${']'.repeat(9_999)}`)).toHaveProperty(RAW_ARGUMENTS);
    expect(await inputOf('')).toEqual({});
    expect(await inputOf(undefined)).toEqual({});
  });

  it('of a tool is a message with one result', async () =>
    expect(
      await blocksOf(
        answering(call('c1', 'a', '{}'), call('c2', 'b', '{}')),
        { role: 'tool', tool_call_id: 'c2', name: 'b', content: 'two' },
        { role: 'tool', tool_call_id: 'c1', content: [text('one')] },
      ),
    ).toMatchObject([
      [{ id: 'c1' }, { id: 'c2' }],
      [{ type: 'tool_result', tool_use_id: 'c2', content: 'two' }],
      [{ type: 'tool_result', tool_use_id: 'c1', content: [text('one')] }],
    ]));

  it('keeps extra fields that its block cannot represent, and the output once', async () => {
    const result = { role: 'tool', tool_call_id: 'c1', name: 'a', content: 'of a' };
    const { messages } = await readTranscript(linesOf(answering(call('c1', 'a', '{}')), result));
    const [block] = messages[1]?.blocks ?? [];
    expect(block).toEqual({
      ...{ type: 'tool_result', tool_use_id: 'c1', content: 'of a' },
      openai: { name: 'a' },
    });
    expect(block && chatItems({ role: 'user', blocks: [block] })).toEqual([result]);
  });

  it('is paired with its call if neither has an id', async () =>
    expect(
      await blocksOf(
        answering(call(undefined, 'a', '{}'), call(undefined, 'b', '{}')),
        { role: 'tool', name: 'b', content: 'of b' },
        { role: 'tool', content: null },
        { role: 'assistant', content: null, function_call: { name: 'c', arguments: '{}' } },
        { role: 'function', name: 'c', content: 'of c' },
        { role: 'tool', content: 'of nothing' },
      ),
    ).toMatchObject([
      [{ id: 'call-1' }, { id: 'call-2' }],
      [{ tool_use_id: 'call-2', content: 'of b' }],
      [{ type: 'tool_result', tool_use_id: 'call-1' }],
      [{ id: 'call-3', name: 'c' }],
      [{ tool_use_id: 'call-3', content: 'of c' }],
      [{ tool_use_id: 'call-4' }],
    ]));

  it('has its parts as blocks, unknown ones unchanged', async () =>
    expect(
      await blocksOf({
        role: 'user',
        content: [
          text('a'),
          { type: 'input_text', text: 'b' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
          { type: 'input_image', image_url: 'https://example.org/x.png' },
          { type: 'image_url' },
          { type: 'input_audio', input_audio: { data: 'AA' } },
        ],
      }),
    ).toEqual([
      [
        text('a'),
        text('b'),
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        { type: 'image', source: { type: 'url', url: 'https://example.org/x.png' } },
        text('{"type":"image_url"}'),
        { type: 'input_audio', input_audio: { data: 'AA' } },
      ],
    ]));

  it('keeps calls without a tool name as text', async () =>
    expect(await blocksOf(answering({ id: 'c' }, 'x'))).toEqual([[text('{"id":"c"}'), text('x')]]));

  // Holds rule 11.18.
  it('without content is reported and dropped', async () => {
    const { messages, skipped } = await readTranscript(
      linesOf(
        { role: 'system', content: 'x' },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'a' },
      ),
    );
    expect({ count: messages.length, skipped }).toEqual({ count: 2, skipped: [2] });
  });
});

describe('a transcript of OpenAI messages', () => {
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: 'done' },
  ];

  it('may be the trajectory of an agent', async () => {
    const { format, messages: read } = await readTranscript(
      JSON.stringify({
        trajectory: [{}],
        history: [
          ...messages,
          answering(call('c', 'n', '{}')),
          { role: 'tool', tool_call_ids: ['c'], content: 'x' },
        ],
      }),
      { name: 'x.traj' },
    );
    expect(format).toBe('openai-messages');
    expect(read.at(-1)?.blocks).toMatchObject([{ type: 'tool_result', tool_use_id: 'c', content: 'x' }]);
  });

  it('may be a list of trajectories, one session each', async () => {
    const { format, sessions } = await readTranscript(
      JSON.stringify([{ traj: messages }, { traj: messages }]),
    );
    expect(format).toBe('openai-messages');
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(2);
  });

  it('reports list elements that are not trajectories', async () => {
    const transcript = await readTranscript(JSON.stringify([{ traj: messages }, { traj: [{ x: 1 }] }]));
    expect(transcript).toMatchObject({ sessions: { length: 1 }, skipped: [1] });
  });

  it('may have one message per line', async () => {
    const lines = linesOf({ role: 'system', content: 'x' }, ...messages);
    expect(await readTranscript(lines)).toMatchObject({ format: 'openai-messages', messages: { length: 3 } });
  });

  it('converts its tool definitions', async () => {
    const tools = [
      { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } },
      { type: 'custom', custom: { name: 'c' } },
    ];
    const { format, sessions } = await readTranscript(JSON.stringify({ model: 'gpt-x', tools, messages }));
    expect(format).toBe('openai-messages');
    expect(sessions[0]).toMatchObject({
      model: 'gpt-x',
      tools: [{ name: 'f', description: 'd', input_schema: { type: 'object' } }, tools[1]],
    });
  });
});

describe('an OpenAI response', () => {
  const blocksOf = async (answer: object) => {
    const { messages } = await readTranscript(linesOf({ role: 'system', content: 'x' }, answer));
    return messages[1]?.blocks;
  };

  it('has reasoning once, with the signature that a router preserved', async () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' };
    const answer = { role: 'assistant', content: 'a', reasoning_content: 'Hm.', thinking_blocks: [thinking] };
    expect(await blocksOf(answer)).toMatchObject([thinking, { type: 'text', text: 'a' }]);
  });

  it('in audio has its transcript, or the provider’s block', async () => {
    const answer = (audio: object) => ({ role: 'assistant', content: null, audio });
    expect(await blocksOf(answer({ id: 'a', data: 'QQ==', transcript: 'Hi.' }))).toMatchObject([
      { type: 'text', text: 'Hi.' },
    ]);
    expect(await blocksOf(answer({ id: 'a' }))).toMatchObject([{ type: 'audio', id: 'a' }]);
  });
});
