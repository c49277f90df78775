import { linesOf } from '@app/testing';
import { many } from './session-shapes.js';

/** Transcripts that are large in one dimension; `format` is their reader's. */
export type TranscriptShape = {
  readonly format: string;
  readonly dimension: string;
  readonly size: number;
  readonly text: (size: number) => string;
};

const time = { timestamp: '2026-01-02T03:04:05.678Z' };
const usage = { input_tokens: 9, cache_read_input_tokens: 3, output_tokens: 2 };
const functionCall = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: '{"path":"a.ts"}' },
});
const claude = (
  uuid: string,
  parentUuid: string | null,
  type: string,
  content: unknown,
  more: object = {},
) => ({
  ...{ type, uuid, parentUuid, sessionId: 's1', cwd: '/src', ...time },
  message: { role: type, id: `r-${uuid}`, model: 'claude-x', content, usage },
  ...more,
});
const toolUse = (at: number) => ({ type: 'tool_use', id: `t${at}`, name: 'read', input: { path: 'a.ts' } });
const toolResult = (at: number) => ({ type: 'tool_result', tool_use_id: `t${at}`, content: 'found' });
const anthropicStep = (at: number) => [
  { role: 'user', content: 'Go.' },
  { role: 'assistant', content: [toolUse(at)] },
  { role: 'user', content: [toolResult(at)] },
];

/** Steps of a turn in each format: a question with `text`, a call, its result. */
const STEPS: Readonly<Record<string, (count: number, text: string) => string>> = {
  'claude-code': (count, text) =>
    linesOf(
      ...many(count, (at) => [
        claude(`q${at}`, at === 0 ? null : `r${at - 1}`, 'user', text),
        claude(`a${at}`, `q${at}`, 'assistant', [toolUse(at)]),
        claude(`r${at}`, `a${at}`, 'user', [toolResult(at)]),
      ]).flat(),
    ),
  pi: (count, text) => {
    const pi = (id: string, parentId: string | null, message: object) => ({
      type: 'message',
      id,
      parentId,
      ...time,
      message,
    });
    return linesOf(
      { type: 'session', version: 3, id: 'p1', ...time, cwd: '/src' },
      ...many(count, (at) => [
        pi(`q${at}`, at === 0 ? null : `r${at - 1}`, { role: 'user', content: text }),
        pi(`a${at}`, `q${at}`, {
          role: 'assistant',
          content: [{ type: 'toolCall', id: `t${at}`, name: 'read', arguments: {} }],
          model: 'x',
        }),
        pi(`r${at}`, `a${at}`, {
          role: 'toolResult',
          toolCallId: `t${at}`,
          content: [{ type: 'text', text: 'out' }],
        }),
      ]).flat(),
    );
  },
  codex: (count, text) => {
    const item = (payload: object) => ({ ...time, type: 'response_item', payload });
    return linesOf(
      {
        ...time,
        type: 'session_meta',
        payload: { id: 'x1', ...time, cwd: '/src', instructions: 'Be brief.' },
      },
      ...many(count, (at) => [
        item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
        item({ type: 'function_call', call_id: `c${at}`, name: 'shell', arguments: '{}' }),
        item({ type: 'function_call_output', call_id: `c${at}`, output: 'out' }),
      ]).flat(),
    );
  },
  opencode: (count, text) =>
    JSON.stringify({
      info: { id: 'ses_1', version: '1', time: { created: 1 } },
      messages: many(count, (at) => [
        { info: { id: `q${at}`, role: 'user', time: { created: at } }, parts: [{ type: 'text', text }] },
        {
          info: { id: `a${at}`, role: 'assistant', modelID: 'x', tokens: { input: 1 } },
          parts: [
            {
              type: 'tool',
              callID: `c${at}`,
              tool: 'read',
              state: { status: 'completed', input: {}, output: 'out' },
            },
          ],
        },
      ]).flat(),
    }),
  'gemini-cli': (count, text) =>
    JSON.stringify({
      ...{ sessionId: 'g', projectHash: 'h', startTime: time.timestamp },
      messages: many(count, (at) => [
        { id: `q${at}`, ...time, type: 'user', content: [{ text }] },
        {
          ...{ id: `a${at}`, ...time, type: 'gemini', content: 'Done.', model: 'x', tokens: { input: 3 } },
          toolCalls: [
            {
              ...{ id: `c${at}`, name: 'read', args: {}, status: 'success' },
              result: [{ functionResponse: { id: `c${at}`, response: { output: 'x' } } }],
            },
          ],
        },
      ]).flat(),
    }),
  'copilot-cli': (count, text) => {
    const event = (id: string, type: string, data: object) => ({ type, data, id, ...time, parentId: null });
    return linesOf(
      event('s', 'session.start', { sessionId: 'k1' }),
      ...many(count, (at) => [
        event(`q${at}`, 'user.message', { content: text }),
        event(`a${at}`, 'assistant.message', {
          content: '',
          model: 'x',
          toolRequests: [{ toolCallId: `t${at}`, name: 'bash', arguments: {} }],
        }),
        event(`r${at}`, 'tool.execution_complete', {
          toolCallId: `t${at}`,
          success: true,
          result: { content: 'out' },
        }),
      ]).flat(),
    );
  },
  openhands: (count, text) => {
    const event = (id: number, more: object) => ({ id, ...time, source: 'agent', message: '', ...more });
    return linesOf({
      history: many(count, (at) => [
        event(at * 3, { source: 'user', action: 'message', args: { content: text } }),
        event(at * 3 + 1, { action: 'run', args: { command: 'ls', thought: 'Hm.' } }),
        event(at * 3 + 2, { observation: 'run', content: 'a', extras: {}, cause: at * 3 + 1 }),
      ]).flat(),
    });
  },
  'swe-agent': (count, text) =>
    JSON.stringify({
      trajectory: [{ action: 'ls', observation: 'a', response: 'ls' }],
      history: many(count, (at) => [
        { role: 'user', content: text, agent: 'main' },
        { role: 'assistant', content: '', agent: 'main', tool_calls: [functionCall(`c${at}`)] },
        { role: 'tool', content: 'a', agent: 'main', tool_call_ids: [`c${at}`] },
      ]).flat(),
      info: { model_stats: {} },
    }),
  'openai-responses': (count, text) =>
    JSON.stringify(
      many(count, (at) => [
        { role: 'user', content: text },
        { type: 'function_call', call_id: `c${at}`, name: 'read', arguments: '{}' },
        { type: 'function_call_output', call_id: `c${at}`, output: 'out' },
      ]).flat(),
    ),
  'anthropic-messages': (count, text) =>
    JSON.stringify({
      model: 'claude-x',
      system: 'Be brief.',
      messages: many(count, (at) =>
        anthropicStep(at).map((one) => (one.content === 'Go.' ? { ...one, content: text } : one)),
      ).flat(),
    }),
  'openai-messages': (count, text) =>
    linesOf(
      ...many(count, (at) => [
        { role: 'user', content: text },
        { role: 'assistant', content: null, tool_calls: [functionCall(`c${at}`)] },
        { role: 'tool', tool_call_id: `c${at}`, content: 'out' },
      ]).flat(),
    ),
};

/** A compaction after each turn, for formats that record compactions. */
const COMPACTIONS: Readonly<Record<string, (count: number) => string>> = {
  'claude-code': (count) =>
    linesOf(
      ...many(count, (at) => [
        claude(`q${at}`, at === 0 ? null : `s${at - 1}`, 'user', 'Go.'),
        claude(`a${at}`, `q${at}`, 'assistant', [{ type: 'text', text: 'Done.' }]),
        {
          ...{ type: 'system', subtype: 'compact_boundary', uuid: `b${at}`, ...time, sessionId: 's1' },
          compactMetadata: { trigger: 'auto' },
        },
        claude(`s${at}`, `b${at}`, 'user', 'So far.', { isCompactSummary: true }),
      ]).flat(),
    ),
  codex: (count) =>
    linesOf(
      {
        ...time,
        type: 'session_meta',
        payload: { id: 'x1', ...time, cwd: '/src', instructions: 'Be brief.' },
      },
      ...many(count, () => [
        {
          ...time,
          type: 'response_item',
          payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
        },
        { ...time, type: 'compacted', payload: { message: 'So far.' } },
      ]).flat(),
    ),
};

/** Formats with branches in one file: each branch returns to the first message. */
const BRANCHES: Readonly<Record<string, (count: number) => string>> = {
  'claude-code': (count) =>
    linesOf(
      claude('q', null, 'user', 'Go.'),
      ...many(count, (at) => claude(`a${at}`, 'q', 'assistant', [{ type: 'text', text: 'Done.' }])),
    ),
  pi: (count) =>
    linesOf(
      { type: 'session', version: 3, id: 'p1', ...time, cwd: '/src' },
      { type: 'message', id: 'q', parentId: null, ...time, message: { role: 'user', content: 'Go.' } },
      ...many(count, (at) => ({
        ...{ type: 'message', id: `a${at}`, parentId: 'q', ...time },
        message: { role: 'assistant', content: [{ type: 'text', text: 'x' }] },
      })),
    ),
};

const LINE = '{"role":"user","content":"Go."}\n';
const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

export const TRANSCRIPT_SHAPES: readonly TranscriptShape[] = [
  ...Object.entries(STEPS).flatMap(([format, text]): TranscriptShape[] => [
    { format, dimension: 'steps', size: 100, text: (size) => text(size, 'Go.') },
    {
      format,
      dimension: 'length of a text',
      size: 100_000,
      text: (size) => text(2, 'word '.repeat(size / 5)),
    },
  ]),
  ...Object.entries(COMPACTIONS).map(
    ([format, text]): TranscriptShape => ({ format, dimension: 'compactions', size: 100, text }),
  ),
  ...Object.entries(BRANCHES).map(
    ([format, text]): TranscriptShape => ({ format, dimension: 'branches', size: 250, text }),
  ),
  {
    format: 'anthropic-messages',
    dimension: 'calls of a message',
    size: 500,
    text: (size) =>
      LINE +
      linesOf(
        { role: 'assistant', content: many(size, toolUse) },
        { role: 'user', content: many(size, toolResult) },
      ),
  },
  {
    format: 'openai-messages',
    dimension: 'calls of a message',
    size: 500,
    text: (size) =>
      LINE +
      linesOf(
        { role: 'assistant', content: null, tool_calls: many(size, (at) => functionCall(`c${at}`)) },
        ...many(size, (at) => ({ role: 'tool', tool_call_id: `c${at}`, content: 'out' })),
      ),
  },
  {
    format: 'openai-messages',
    dimension: 'calls of one id',
    size: 500,
    text: (size) =>
      linesOf(
        ...many(size, () => [
          { role: 'assistant', content: null, tool_calls: [functionCall('same')] },
          { role: 'tool', tool_call_id: 'same', content: 'out' },
        ]).flat(),
      ),
  },
  { format: 'any', dimension: 'objects on one line', size: 500, text: (size) => LINE.trim().repeat(size) },
  { format: 'any', dimension: 'empty lines', size: 5_000, text: (size) => LINE + '\n'.repeat(size) + LINE },
  {
    format: 'any',
    dimension: 'lines that hold no JSON',
    size: 1_000,
    text: (size) => LINE + 'no JSON\n'.repeat(size),
  },
  {
    format: 'any',
    dimension: 'lines nested too deep',
    size: 50,
    text: (size) => LINE + `{"role":"user","content":${deep(600)}}\n`.repeat(size),
  },
  {
    format: 'any',
    dimension: 'members of an object',
    size: 2_000,
    text: (size) =>
      linesOf({ role: 'user', content: 'Go.', ...Object.fromEntries(many(size, (at) => [`m${at}`, at])) }),
  },
];
