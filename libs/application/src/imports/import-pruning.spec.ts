import type { TranscriptItem, TranscriptMessage } from '@app/formats';
import { TenantId } from '@app/kernel';
import {
  caller,
  itemsOf,
  openApplication,
  openMemoryLog,
  recordedEvents,
  recordedSession,
  sessionRef,
} from '@app/testing';

const message = (id: string, role: TranscriptMessage['role'], block: object): TranscriptMessage => ({
  ...{ id, role, blocks: [JSON.parse(JSON.stringify(block))] },
});
const story = recordedSession('s', [
  message('u1', 'user', { type: 'text', text: 'go' }),
  message('a1', 'assistant', { type: 'tool_use', id: 't1', name: 'read', input: {} }),
  message('r1', 'user', { type: 'tool_result', tool_use_id: 't1', content: 'long '.repeat(200) }),
  message('a2', 'assistant', { type: 'text', text: 'Done.' }),
]);
const cleared: TranscriptItem = { kind: 'pruning', sessionId: 's', pruning: { callIds: ['t1'] } };

describe('tool outputs that the agent of a transcript has cleared', () => {
  // Holds rule 11.12.
  it('are cleared once over repeated imports', async () => {
    const application = openApplication(openMemoryLog());
    const options = { tenant: TenantId('acme'), profile: 'core' };
    for (let time = 0; time < 2; time += 1)
      await application.importer.import('claude-code', itemsOf([...story, cleared]), options, caller);
    const events = await recordedEvents(application.log, sessionRef('s'));
    expect(events.filter(({ type }) => type === 'ToolOutputsPruned')).toMatchObject([
      { data: { outputs: [{ messageId: 'a1', callId: 't1' }], imported: { format: 'claude-code' } } },
    ]);
  });
});
