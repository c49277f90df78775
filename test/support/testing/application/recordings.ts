import type { TranscriptItem, TranscriptMessage } from '@app/formats';

/** Transcripts as a reader yields them. */

export const recordedUsage = { inputTokens: 10, cacheReadTokens: 1, cacheWriteTokens: 2, outputTokens: 5 };

export const said = (
  id: string,
  role: 'user' | 'assistant',
  text = id,
  more: Partial<TranscriptMessage> = {},
) => ({
  id,
  role,
  blocks: [{ type: 'text' as const, text }],
  ...more,
});
export const recordedSession = (
  id: string,
  messages: readonly TranscriptMessage[],
  parentId?: string,
): TranscriptItem[] => [
  { kind: 'session', session: { id, ...(parentId !== undefined && { parentId }) } },
  ...messages.map((message): TranscriptItem => ({ kind: 'message', sessionId: id, message })),
];
export const toolCall = (id: string): TranscriptMessage => ({
  id: `call-${id}`,
  role: 'assistant',
  blocks: [{ type: 'tool_use', id, name: 'read', input: {} }],
});
export const toolResult = (id: string): TranscriptMessage => ({
  id: `result-${id}`,
  role: 'user',
  blocks: [{ type: 'tool_result', tool_use_id: id, content: 'found' }],
});
/** Two turns, the first one with a step. */
export const STORY: readonly TranscriptMessage[] = [
  said('q1', 'user'),
  toolCall('c1'),
  toolResult('c1'),
  said('a1', 'assistant', 'a1', { model: 'claude-opus-4-1', usage: recordedUsage }),
  said('q2', 'user'),
  said('a2', 'assistant'),
];

export async function* itemsOf(items: readonly TranscriptItem[]): AsyncGenerator<TranscriptItem> {
  yield* items;
}
