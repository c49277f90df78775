import { readTranscript } from '@app/testing';

const IN_PARTS = { wholeBytesMax: 1, partBytes: 60, chunkBytes: 37 };
const turns = (of: (at: number) => object[]) => Array.from({ length: 12 }, (_, at) => of(at)).flat();
const chat = turns((at) => [
  { role: 'user', content: `question ${at}` },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: `answer ${at}` },
      { type: 'tool_use', id: `t${at}`, name: 'n', input: {} },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: 'out' }] },
  7 as unknown as object,
]);
const openAi = turns((at) => [
  { role: 'user', content: `question ${at}` },
  { role: 'assistant', content: null, tool_calls: [{ function: { name: 'n', arguments: '{}' } }] },
  { role: 'tool', content: 'out' },
]);
const gemini = turns((at) => [
  { id: `u${at}`, timestamp: '2026-01-01T00:00:00Z', type: 'user', content: 'x' },
  { id: `g${at}`, timestamp: '2026-01-01T00:00:00Z', type: 'gemini', content: 'y', model: 'm' },
]);
const items = turns((at) => [
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: `question ${at}` }] },
  { type: 'function_call', call_id: `c${at}`, name: 'n', arguments: '{}' },
  { type: 'function_call_output', call_id: `c${at}`, output: 'out' },
]);
const events = turns((at) => [
  {
    id: 2 * at,
    source: 'user',
    action: 'message',
    args: { content: `question ${at}` },
    timestamp: '2026-01-01T00:00:00',
  },
  {
    id: 2 * at + 1,
    source: 'agent',
    action: 'message',
    args: { content: `answer ${at}` },
    timestamp: '2026-01-01T00:00:00',
  },
]);
const openCode = turns((at) => [
  { info: { id: `u${at}`, role: 'user', time: { created: 1 } }, parts: [{ type: 'text', text: 'x' }] },
  { info: { id: `a${at}`, role: 'assistant', modelID: 'm' }, parts: [{ type: 'text', text: 'y' }, 7] },
]);
const step = { action: 'ls', observation: 'a', thought: 'Hm.', response: 'ls' };

const documents: readonly (readonly [string, object])[] = [
  [
    'anthropic-messages',
    { model: 'claude-x', system: 'Be brief.', tools: [{ name: 'n', input_schema: {} }], messages: chat },
  ],
  ['anthropic-messages', chat],
  ['anthropic-messages', [{ messages: chat.slice(0, 4) }, { messages: chat.slice(4, 8) }]],
  ['openai-messages', openAi],
  ['gemini-cli', { sessionId: 's', projectHash: 'h', startTime: 'x', messages: gemini }],
  [
    'gemini-cli',
    turns((at) => [
      { role: 'user', parts: [{ text: `x${at}` }] },
      { role: 'model', parts: [{ text: 'y' }] },
    ]),
  ],
  ['openai-responses', items],
  ['openai-responses', { model: 'gpt-x', instructions: 'Be brief.', input: items }],
  ['opencode', { info: { id: 'ses_1', version: '1' }, messages: openCode }],
  ['openhands', events],
  ['openhands', { instance_id: 'i', history: events }],
  [
    'swe-agent',
    { environment: 'e', trajectory: [step, step, step], history: openAi, info: { model_stats: {} } },
  ],
];

describe('a document that is read in chunks', () => {
  it.each(
    documents.flatMap(([format, document]) => [0, 2].map((indent) => [format, indent, document] as const)),
  )('yields the same transcript as in one piece: %s, indented by %d', async (format, indent, document) => {
    const text = JSON.stringify(document, null, indent);
    const whole = await readTranscript(text, { chunkBytes: 100_000 });
    const inParts = await readTranscript(text, IN_PARTS);
    expect(whole.format).toBe(format);
    expect({ ...inParts, items: [], skipped: inParts.skipped.length }).toEqual({
      ...whole,
      items: [],
      skipped: whole.skipped.length,
    });
  });

  it('reports the lines of broken elements and of elements in a wrong position', async () => {
    const text = JSON.stringify({ messages: chat.slice(0, 9), system: 'late' }, null, 1).replace(
      '"answer 0"',
      '"answer 0',
    );
    const { format, messages, skipped } = await readTranscript(text, IN_PARTS);
    expect(format).toBe('anthropic-messages');
    expect(messages).toHaveLength(6);
    expect(skipped[0]).toBe(7);
    expect(skipped).toHaveLength(4);
  });
});
