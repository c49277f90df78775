import type { Message } from '@app/domain';
import { TenantId } from '@app/kernel';
import {
  caller,
  itemsOf,
  openApplication,
  recordedEvents,
  recordedSession,
  said,
  sessionRef,
  toolCall,
  toolResult,
} from '@app/testing';
import { openRealLog, useLog } from '../contract/event-log/support/logs.js';

const MIB = 1024 * 1024;
const options = { tenant: TenantId('acme'), profile: 'core', window: 0 };
const messagesOf = async (...given: Parameters<typeof recordedEvents>): Promise<Message[]> =>
  (await recordedEvents(...given)).flatMap((event) =>
    event.type === 'MessageAppended' ? [event.data.message] : [],
  );

describe('transcript with messages larger than an append', () => {
  const current = useLog(openRealLog);

  it('is imported completely through the blob store, and a repeated import finds it unchanged', async () => {
    const { id, role } = toolResult('c1');
    const story = [
      said('q1', 'user', 'q'.repeat(3 * MIB)),
      toolCall('c1'),
      {
        id,
        role,
        blocks: [{ type: 'tool_result' as const, tool_use_id: 'c1', content: '語\u0000'.repeat(MIB / 2) }],
      },
      ...Array.from({ length: 300 }, (_, n) => said(`m${n}`, 'user', `${n}`.padEnd(3_900, '語'))),
      said('a1', 'assistant', 'a'.repeat(2 * MIB)),
    ];
    const ref = sessionRef('large');
    const once = async () => {
      const { importer } = openApplication(current());
      return importer.import('pi', itemsOf(recordedSession('large', story)), options, caller);
    };
    const first = await once();
    expect(current().blobs.contents.size).toBeGreaterThanOrEqual(3);
    const messages = await messagesOf(current().log, ref);
    const recorded = messages.map(({ blocks }) => blocks);
    // Compared as text: jest would format the difference of such large values for minutes.
    expect(JSON.stringify(recorded) === JSON.stringify(story.map(({ blocks }) => blocks))).toBe(true);

    const count = (await recordedEvents(current().log, ref)).length;
    expect(await once()).toEqual(first);
    expect(await recordedEvents(current().log, ref)).toHaveLength(count);
  });
});
