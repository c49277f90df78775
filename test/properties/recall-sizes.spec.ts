import { openTokenCounter } from '@app/adapters/tokens-tiktoken';
import {
  carriesRecall,
  clearedResultText,
  droppedOutputText,
  placeholderTokens,
  recallTokens,
  resolveProfile,
  snippedText,
} from '@app/domain';
import { wireOf } from '@app/formats';
import { MessageId } from '@app/kernel';
import fc from 'fast-check';

const counter = openTokenCounter();
const session = (recall: boolean) => ({
  profile: { ...resolveProfile('core'), recall },
  opened: { tools: [] },
});
const id = fc.oneof(
  fc.stringMatching(/^toolu_[0-9A-Za-z]{24}$/),
  fc.stringMatching(/^call_[0-9A-Za-z]{24}$/),
  fc.stringMatching(/^g-[0-9a-f]{32}$/),
  fc.uuid(),
  fc.string({ minLength: 1, maxLength: 200 }).filter((text) => /^[!-~]+$/.test(text)),
);

describe('note on how to recall the original', () => {
  it.each(['tool', 'route'] as const)('costs at most the reserved counted tokens, by %s', (way) => {
    const most = placeholderTokens(session(way === 'tool'));
    fc.assert(
      fc.property(id, fc.integer({ min: 1, max: 50 }), (named, count) => {
        for (const text of [
          droppedOutputText(named, way),
          clearedResultText(named, way),
          snippedText(MessageId(named), count, way),
        ])
          expect(counter.count(text)).toBeLessThanOrEqual(most);
      }),
    );
  });

  it.each(['anthropic', 'openai-chat', 'openai-responses'] as const)(
    'is a tool that costs the reserved tokens within six per cent: %s',
    (wire) => {
      const tokens = counter.count(JSON.stringify(wireOf(wire).recall.tool));
      expect(tokens).toBeLessThanOrEqual(recallTokens(session(true)));
      expect(tokens).toBeGreaterThan(recallTokens(session(true)) * 0.94);
    },
  );

  it('is omitted as a tool if the session has one of that name', () => {
    const opened = { tools: [{ type: 'function', function: { name: 'recall_history' } }] };
    expect(carriesRecall({ ...session(true), opened })).toBe(false);
    expect(recallTokens({ ...session(true), opened })).toBe(0);
  });
});
