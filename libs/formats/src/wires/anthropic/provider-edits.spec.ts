import { providerEditsFrom } from '@app/formats';

const clearing = [
  { type: 'clear_thinking_20251015', cleared_thinking_turns: 2, cleared_input_tokens: 900 },
  { type: 'clear_tool_uses_20250919', cleared_tool_uses: 8, cleared_input_tokens: 50_000 },
];
const cleared = { clearedToolUses: 8, clearedThinkingTurns: 2, clearedInputTokens: 50_900 };
const nothing = { clearedToolUses: 0, clearedThinkingTurns: 0, clearedInputTokens: 0 };
const iteration = (type: string, input: number, output: number) => ({
  type,
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
});
const usage = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  outputTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
});

describe('context edits of the provider in an answer', () => {
  it('are summed', () =>
    expect(providerEditsFrom({ id: 'msg_1', context_management: { applied_edits: clearing } })).toEqual({
      edits: cleared,
      responseId: 'msg_1',
    }));

  it('may be a bare list', () => expect(providerEditsFrom(clearing)).toEqual({ edits: cleared }));

  it('include a compaction if only a block shows it', () =>
    expect(
      providerEditsFrom({
        content: [{ type: 'compaction', content: 'so far', encrypted_content: 'x' }],
        context_management: { applied_edits: [] },
      }),
    ).toEqual({ edits: { ...nothing, compaction: {} } }));

  it('include a compaction if only the stop reason shows it', () =>
    expect(providerEditsFrom({ content: [], stop_reason: 'compaction' })).toEqual({
      edits: { ...nothing, compaction: {} },
    }));

  it('include a compaction with its cost if a pass was billed', () =>
    expect(
      providerEditsFrom({
        usage: {
          input_tokens: 10,
          iterations: [
            iteration('compaction', 180_000, 3_500),
            iteration('message', 23_000, 1_000),
            iteration('compaction', 100, 10),
          ],
        },
      }),
    ).toEqual({ edits: { ...nothing, compaction: { usage: usage(180_100, 3_510) } } }));

  it('are absent if nothing was edited', () =>
    expect(providerEditsFrom({ content: [{ type: 'text', text: 'hello' }] })).toEqual({ edits: nothing }));

  it('ignore invalid counts', () =>
    expect(providerEditsFrom([{ cleared_tool_uses: -1, cleared_input_tokens: '7' }])).toEqual({
      edits: nothing,
    }));

  it.each([null, 'text', 7, {}, [1]])('are absent in %j', (value) =>
    expect(providerEditsFrom(value)).toBeUndefined(),
  );
});
