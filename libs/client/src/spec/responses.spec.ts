import { describe, expect, it } from '@jest/globals';
import type OpenAI from 'openai';
import { answerFromResponses } from '../messages/openai-responses.js';

describe('responses of the OpenAI Responses API', () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [{ text: 'Hm.' }], encrypted_content: 'gAAA' };
  const answer = {
    id: 'resp_1',
    model: 'gpt-5.4',
    status: 'completed',
    usage: { input_tokens: 20, output_tokens: 7, input_tokens_details: { cached_tokens: 11 } },
  };

  it('keep complete reasoning and carry their usage', () => {
    const call = { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"file":"a.ts"}' };
    expect(answerFromResponses({ ...answer, output: [reasoning, call] })).toEqual({
      messages: [
        {
          id: 'resp_1',
          role: 'assistant',
          model: 'gpt-5.4',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: JSON.stringify(reasoning) },
            { type: 'tool_use', id: 'call_1', name: 'read', input: { file: 'a.ts' } },
          ],
        },
      ],
      usage: { inputTokens: 9, cacheReadTokens: 11, cacheWriteTokens: 0, outputTokens: 7 },
    });
  });

  it('give their stop reason and the phase of messages', () => {
    const said = {
      ...{ type: 'message', role: 'assistant', phase: 'final_answer' },
      content: [{ type: 'output_text', text: 'Done.' }],
    };
    expect(answerFromResponses({ ...answer, output: [said] })).toMatchObject({
      messages: [{ content: [{ type: 'text', text: 'Done.', openai: said }] }],
      stopReason: 'completed',
    });
    const cut = { ...answer, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    expect(answerFromResponses({ ...cut, output: [] })).toMatchObject({ stopReason: 'max_output_tokens' });
  });

  it('convert from an SDK response', () => {
    const take = (response: OpenAI.Responses.Response) => answerFromResponses(response);
    expect(take).toBeDefined();
  });
});
