import { linesOf } from '../read-transcript.js';

const at = '2026-01-02T03:04:05.678Z';
const time = { timestamp: at };
const call = { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a.ts', deep: [{ b: null }] } };
const result = { type: 'tool_result', tool_use_id: 't1', content: 'export const ä = "😀";' };
const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' };
const usage = { input_tokens: 9, cache_read_input_tokens: 3, output_tokens: 2 };
const functionCall = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } };
const claude = (uuid: string, type: string, content: unknown, more: object = {}) => ({
  ...{ type, uuid, parentUuid: null, sessionId: 's1', cwd: '/src', ...time },
  message: { role: type, id: `r-${uuid}`, model: 'claude-x', content, usage },
  ...more,
});
const pi = (id: string, message: object) => ({ type: 'message', id, parentId: null, ...time, message });
const copilot = (id: string, type: string, data: object) => ({ type, data, id, ...time, parentId: null });
const codex = (type: string, payload: object) => ({ ...time, type, payload });
const event = (id: number, more: object) => ({ id, ...time, source: 'agent', message: '', ...more });
const gemini = (id: string, type: string, content: unknown, more: object = {}) => ({
  id,
  ...time,
  type,
  content,
  ...more,
});
const geminiCall = {
  id: 'c',
  name: 'read',
  args: {},
  status: 'success',
  result: [{ functionResponse: { id: 'c', response: { output: 'x' } } }],
};
const geminiHeader = { sessionId: 'g', projectHash: 'h', startTime: at };

type Sample = readonly [name: string, text: string];

const AGENTS: readonly Sample[] = [
  [
    'claude-code',
    linesOf(
      claude('u1', 'user', 'Read a.ts.'),
      claude('u2', 'assistant', [thinking, call]),
      claude('u3', 'user', [result]),
      claude('u4', 'user', 'Look aside.', { isSidechain: true, agentId: 'a1' }),
      {
        type: 'system',
        subtype: 'compact_boundary',
        uuid: 'u5',
        ...time,
        sessionId: 's1',
        compactMetadata: { trigger: 'auto' },
      },
      claude('u6', 'user', 'So far: a.ts was read.', { isCompactSummary: true }),
      claude('u7', 'assistant', [{ type: 'text', text: 'Done.' }]),
    ),
  ],
  [
    'pi',
    linesOf(
      { type: 'session', version: 3, id: 'p1', ...time, cwd: '/src' },
      pi('m1', { role: 'user', content: 'Go.' }),
      pi('m2', {
        role: 'assistant',
        content: [{ type: 'toolCall', id: 't', name: 'read', arguments: {} }],
        model: 'x',
        usage: { input: 1 },
      }),
      pi('m3', { role: 'toolResult', toolCallId: 't', content: [{ type: 'text', text: 'out' }] }),
      { type: 'compaction', id: 'm4', ...time, summary: 'So far.', firstKeptEntryId: 'm3' },
    ),
  ],
  [
    'codex',
    linesOf(
      codex('session_meta', { id: 'x1', timestamp: at, cwd: '/src', instructions: 'Be brief.' }),
      codex('response_item', {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'Go.' }],
      }),
      codex('response_item', { type: 'reasoning', summary: [], encrypted_content: 'x' }),
      codex('response_item', { type: 'function_call', call_id: 'c1', name: 'shell', arguments: '{}' }),
      codex('response_item', { type: 'function_call_output', call_id: 'c1', output: 'out' }),
      codex('compacted', { message: 'So far.' }),
    ),
  ],
  [
    'opencode',
    JSON.stringify(
      {
        info: { id: 'ses_1', version: '1', time: { created: 1 } },
        messages: [
          {
            info: { id: 'm1', role: 'user', time: { created: 1 } },
            parts: [{ type: 'text', text: 'Go.' }],
          },
          {
            info: { id: 'm2', role: 'assistant', modelID: 'x', tokens: { input: 1 } },
            parts: [
              {
                type: 'tool',
                callID: 'c',
                tool: 'read',
                state: { status: 'completed', input: {}, output: 'out' },
              },
            ],
          },
        ],
      },
      null,
      2,
    ),
  ],
];

const OTHERS: readonly Sample[] = [
  [
    'gemini-cli',
    JSON.stringify(
      {
        ...geminiHeader,
        messages: [
          gemini('g1', 'user', [{ text: 'Go.' }]),
          gemini('g2', 'gemini', 'Done.', { toolCalls: [geminiCall], tokens: { input: 3 }, model: 'x' }),
        ],
      },
      null,
      2,
    ),
  ],
  [
    'gemini-cli lines',
    linesOf(
      geminiHeader,
      gemini('g1', 'user', 'Go.'),
      gemini('g2', 'gemini', 'y'),
      { $rewindTo: 'g2' },
      gemini('g3', 'gemini', 'z'),
      { $set: { messages: [gemini('s', 'user', 'So far.'), gemini('g3', 'gemini', 'z')] } },
    ),
  ],
  [
    'copilot-cli',
    linesOf(
      copilot('e1', 'session.start', { sessionId: 'k1' }),
      copilot('e2', 'system.message', { content: 'Be brief.' }),
      copilot('e3', 'user.message', { content: 'Go.' }),
      copilot('e4', 'assistant.message', {
        content: '',
        model: 'x',
        toolRequests: [{ toolCallId: 't', name: 'bash', arguments: {} }],
        outputTokens: 3,
      }),
      copilot('e5', 'tool.execution_complete', {
        toolCallId: 't',
        success: true,
        result: { content: 'out' },
      }),
      copilot('e6', 'session.compaction_complete', { success: true, summaryContent: 'So far.' }),
      copilot('e7', 'session.snapshot_rewind', { upToEventId: 'e5' }),
      copilot('e8', 'user.message', { content: 'Again.' }),
    ),
  ],
  [
    'openhands',
    linesOf({
      history: [
        event(0, { action: 'system', args: { content: 'Be brief.', tools: [] } }),
        event(1, { source: 'user', action: 'message', args: { content: 'Go.' } }),
        event(2, { action: 'run', args: { command: 'ls', thought: 'Hm.' } }),
        event(3, { observation: 'run', content: 'a', extras: {}, cause: 2 }),
        event(4, { action: 'condensation', args: { forgotten_event_ids: [1, 2], summary: 'So far.' } }),
        event(5, { action: 'delegate', args: { agent: 'B' } }),
        event(6, { action: 'message', args: { content: 'x' } }),
      ],
    }),
  ],
  [
    'swe-agent',
    JSON.stringify(
      {
        trajectory: [{ action: 'ls', observation: 'a', response: 'ls' }],
        history: [
          { role: 'user', content: 'Go.', agent: 'main' },
          { role: 'assistant', content: '', agent: 'main', tool_calls: [functionCall] },
          { role: 'tool', content: 'a', agent: 'main', tool_call_ids: ['c1'] },
        ],
        info: { model_stats: {} },
      },
      null,
      1,
    ),
  ],
  [
    'openai-messages',
    linesOf(
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==' } }] },
      { role: 'assistant', content: null, tool_calls: [functionCall] },
      { role: 'tool', tool_call_id: 'c1', content: 'out' },
    ),
  ],
  [
    'openai-responses',
    JSON.stringify(
      [
        { role: 'user', content: 'Go.' },
        { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'x' },
        { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'out' },
      ],
      null,
      1,
    ),
  ],
  [
    'anthropic-messages',
    JSON.stringify(
      {
        model: 'claude-x',
        system: 'Be brief.',
        messages: [
          { role: 'user', content: 'Go.' },
          { role: 'assistant', content: [thinking, call] },
          { role: 'user', content: [result] },
        ],
      },
      null,
      2,
    ),
  ],
];

/** Returns a small transcript per format, with every kind of content that the format supports. */
export const transcriptSamples = (): ReadonlyMap<string, string> => new Map([...AGENTS, ...OTHERS]);
