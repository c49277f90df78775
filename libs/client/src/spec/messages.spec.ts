import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import { type ModelMessage, modelMessageSchema } from 'ai';
import type OpenAI from 'openai';
import type { Message } from '../generated/types.js';
import { fromAiSdk, toAiSdk } from '../messages/ai-sdk.js';
import { answerFromAnthropic, toAnthropic } from '../messages/anthropic.js';
import { answerFromOpenAi, fromOpenAi, toOpenAi } from '../messages/openai.js';

/** A turn with a tool, in the form of the API. */
const TURN: readonly Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'What is in a.ts?' }] },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'call_1', name: 'read', input: { file: 'a.ts' } },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'export {}' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'Nothing.' }] },
];
const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAEC' } } as const;

describe('messages of the Anthropic SDK', () => {
  it('are accepted unchanged', () => {
    const params: Anthropic.MessageParam[] = [{ role: 'user', content: 'Hello.' }];
    const messages: readonly Message[] = params;
    expect(messages).toEqual(params);
  });

  it('carry their usage and stop reason', () => {
    const usage = {
      input_tokens: 5,
      output_tokens: 7,
      cache_read_input_tokens: 11,
      cache_creation_input_tokens: null,
    };
    const answer = {
      id: 'msg_1',
      role: 'assistant',
      model: 'claude',
      content: [{ type: 'text', text: 'Yes.' }],
    } as const;
    expect(answerFromAnthropic({ ...answer, stop_reason: 'end_turn', usage })).toEqual({
      messages: [
        { id: 'msg_1', role: 'assistant', model: 'claude', content: [{ type: 'text', text: 'Yes.' }] },
      ],
      usage: { inputTokens: 5, cacheReadTokens: 11, cacheWriteTokens: 0, outputTokens: 7 },
      stopReason: 'end_turn',
    });
    for (const goesOn of ['tool_use', 'pause_turn', null]) {
      expect(answerFromAnthropic({ ...answer, stop_reason: goesOn, usage })).not.toHaveProperty('stopReason');
    }
  });

  it('convert from an SDK response', () => {
    const take = (answer: Anthropic.Message) => answerFromAnthropic(answer);
    expect(take).toBeDefined();
  });

  it('separate system prompts', () => {
    const system = { role: 'system', content: 'Be brief.' } as const;
    expect(toAnthropic([system, ...TURN])).toEqual({ system: 'Be brief.', messages: TURN });
  });
});

describe('messages of the OpenAI SDK', () => {
  const chat = [
    { role: 'user', content: 'What is in a.ts?' },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [
        { type: 'function', id: 'call_1', function: { name: 'read', arguments: '{"file":"a.ts"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'export {}' },
    { role: 'assistant', content: 'Nothing.' },
  ] satisfies OpenAI.ChatCompletionMessageParam[];

  it('convert in both directions', () => {
    const params: OpenAI.ChatCompletionMessageParam[] = chat;
    expect(fromOpenAi(params)).toEqual(TURN);
    expect(toOpenAi(TURN)).toEqual(chat);
  });

  it('keep images, refusals and developer messages', () => {
    const url = 'data:image/png;base64,AAEC';
    const params: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url } },
          { type: 'text', text: 'this?' },
        ],
      },
      { role: 'assistant', content: null, refusal: 'No.' },
    ];
    const messages = fromOpenAi(params);
    expect(messages).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', content: [IMAGE, { type: 'text', text: 'this?' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'No.' }] },
    ]);
    expect(toOpenAi(messages)[1]).toEqual(params[1]);
  });

  it('keep tool arguments that are not JSON as the model wrote them', () => {
    const [call] = [{ type: 'function', id: 'c', function: { name: 'run', arguments: '{"a":' } }] as const;
    const messages = fromOpenAi([{ role: 'assistant', content: null, tool_calls: [call] }]);
    expect(messages[0]?.content).toEqual([
      { type: 'tool_use', id: 'c', name: 'run', input: { _raw: '{"a":' } },
    ]);
    expect(toOpenAi(messages)[0]?.tool_calls).toEqual([call]);
  });

  it('carry their usage with cached tokens counted once, and their stop reason', () => {
    const take = (answer: OpenAI.ChatCompletion) => answerFromOpenAi(answer);
    const answer: OpenAI.ChatCompletion = {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 0,
      model: 'gpt',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          logprobs: null,
          message: { role: 'assistant', content: 'Yes.', refusal: null },
        },
      ],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 7,
        total_tokens: 107,
        prompt_tokens_details: { cached_tokens: 60 },
      },
    };
    expect(take(answer)).toEqual({
      messages: [
        { id: 'chatcmpl-1', role: 'assistant', model: 'gpt', content: [{ type: 'text', text: 'Yes.' }] },
      ],
      usage: { inputTokens: 40, cacheReadTokens: 60, cacheWriteTokens: 0, outputTokens: 7 },
      stopReason: 'stop',
    });
    const prompt_tokens_details = { cached_tokens: 60, cache_write_tokens: 41 };
    const rounded = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107, prompt_tokens_details };
    expect(take({ ...answer, usage: rounded }).usage).toMatchObject({
      inputTokens: 0,
      cacheReadTokens: 60,
      cacheWriteTokens: 41,
    });
  });
});

describe('messages of the Vercel AI SDK', () => {
  it('convert in both directions', () => {
    const parts = [
      { role: 'user', content: [{ type: 'text', text: 'What is in a.ts?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', toolCallId: 'call_1', toolName: 'read', input: { file: 'a.ts' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'call_1',
            toolName: 'read',
            output: { type: 'text', value: 'export {}' },
          },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Nothing.' }] },
    ] satisfies ModelMessage[];
    // The types of the SDK itself, in both directions: a value that is not a message of it does not compile.
    const take = (messages: ModelMessage[]) => fromAiSdk(messages);
    const given: ModelMessage[] = toAiSdk(TURN);
    expect(take(parts)).toEqual(TURN);
    expect(given).toEqual(parts);
  });

  it('keep files in the forms of the versions 6 and 7', () => {
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'AAEC' };
    const document = { type: 'document', source: pdf, title: 'a.pdf' };
    const url = 'https://files.example/a';
    const file = (data: unknown, mediaType = 'application/pdf') => ({
      ...{ type: 'file', data, mediaType, filename: 'a.pdf' },
    });
    const converted = (part: { type: string }) => fromAiSdk([{ role: 'user', content: [part] }])[0]?.content;
    expect(converted(file(new Uint8Array([0, 1, 2])))).toEqual([document]);
    expect(converted(file('AAEC'))).toEqual([document]);
    expect(converted(file({ type: 'data', data: new Uint8Array([0, 1, 2]) }))).toEqual([document]);
    expect(converted(file({ type: 'data', data: 'AAEC' }, 'image/png'))).toEqual([IMAGE]);
    expect(converted(file({ type: 'url', url: new URL(url) }, 'image'))).toEqual([
      { type: 'image', source: { type: 'url', url } },
    ]);
    expect(converted(file({ type: 'text', text: 'Hello.' }, 'text/plain'))).toEqual([
      {
        ...{ type: 'document', title: 'a.pdf' },
        source: { type: 'text', media_type: 'text/plain', data: 'Hello.' },
      },
    ]);
    const kept = file({ type: 'reference', reference: { openai: 'file-1' } });
    expect(converted(kept)).toEqual([kept]);
    const messages: readonly Message[] = [{ role: 'user', content: [document] }];
    expect(fromAiSdk(toAiSdk(messages))).toEqual(messages);
  });

  it('keep signed reasoning, images and errors', () => {
    const signed = { type: 'thinking', thinking: 'hm', signature: 'sig' } as const;
    const failed = { type: 'tool_result', tool_use_id: 'c', content: 'no file', is_error: true } as const;
    const messages: readonly Message[] = [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', content: [IMAGE] },
      { role: 'assistant', content: [signed, { type: 'tool_use', id: 'c', name: 'read', input: {} }] },
      { role: 'user', content: [failed] },
    ];
    expect(fromAiSdk(toAiSdk(messages))).toEqual(messages);
  });

  it('keep generated images and redacted reasoning', () => {
    const hidden = { type: 'redacted_thinking', data: 'sealed' };
    const messages: readonly Message[] = [{ role: 'assistant', content: [hidden, IMAGE] }];
    const given: ModelMessage[] = toAiSdk(messages);
    expect(given).toMatchObject([{ content: [{ type: 'reasoning' }, { type: 'file' }] }]);
    expect(fromAiSdk(given)).toEqual(messages);
  });

  it('have the types of the SDK', () => {
    const image = { role: 'user', content: [IMAGE] } as const;
    expect(modelMessageSchema.array().safeParse(toAiSdk([...TURN, image])).success).toBe(true);
  });

  it('accept bytes, links and data URLs as images', () => {
    const url = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
    const bytes = Uint8Array.of(0, 1, 2);
    const content = [
      { type: 'image', image: bytes, mediaType: 'image/png' },
      { type: 'file', data: 'data:image/png;base64,AAEC', mediaType: 'image/png' },
      { type: 'image', image: new URL(url.source.url) },
    ];
    expect(fromAiSdk([{ role: 'user', content }])).toEqual([{ role: 'user', content: [IMAGE, IMAGE, url] }]);
  });

  it('convert tool results that are not text to JSON', () => {
    const output = { type: 'json', value: { found: 2 } };
    const content = [{ type: 'tool-result', toolCallId: 'c', toolName: 't', output }];
    expect(fromAiSdk([{ role: 'tool', content }])[0]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'c', content: '{"found":2}' },
    ]);
  });
});
