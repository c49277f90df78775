import {
  AppendConversation,
  AppendMessages,
  ChangeSettings,
  OpenChildSession,
  OpenSession,
  PinContent,
} from '@app/application';
import { textBlock } from '@app/domain';
import { MessageId, PinId, TenantId } from '@app/kernel';
import type { TokenCounter } from '@app/ports';
import {
  type Application,
  caller,
  itemsOf,
  openApplication,
  openMemoryLog,
  openSession,
  quarterCounter,
  recordedSession,
  said,
  sessionRef,
} from '@app/testing';

/** Characters that a request may count on the event loop. */
const LARGE = 32_768;
const WIDE = '数据在日志里，文字也在。'.repeat(4_000);

/** Refuses to count large texts on the event loop; `ahead` counts them elsewhere. */
const loopCounter: TokenCounter = {
  estimator: quarterCounter.estimator,
  count: (text) => {
    if (text.length >= LARGE) throw new Error('a large text is counted on the event loop');
    return quarterCounter.count(text);
  },
  ahead: async (texts, tenant) => {
    expect(tenant).toBe('acme');
    const known = new Set(texts);
    return { ...loopCounter, count: (text) => (known.has(text) ? quarterCounter : loopCounter).count(text) };
  },
};

const ref = sessionRef();
const large = { role: 'user' as const, blocks: [textBlock(WIDE)] };
const opening = { model: 'unknown', profile: 'core', window: 0, systemPrompt: '', tools: [], labels: {} };
const tools = [{ name: 'query', description: WIDE, input_schema: { type: 'object' } }];
const fixed = { systemPrompt: WIDE, tools };
const imported = [
  ...recordedSession('s', [said('q1', 'user', WIDE), said('a1', 'assistant', WIDE)]),
  {
    kind: 'compaction' as const,
    sessionId: 's',
    compaction: {
      ...{ id: 'c1', summary: WIDE },
      retained: { kind: 'listed' as const, messages: [{ ...said('q2', 'user', WIDE) }] },
    },
  },
];

/** Guarantee: no request counts a large text on the event loop, whatever part of it is large. */
it.each<[what: string, execute: (application: Application) => Promise<unknown>]>([
  [
    'appended',
    ({ commands }) => commands.execute(new AppendMessages(ref, [{ ...large, id: MessageId('m') }], caller)),
  ],
  [
    'in a conversation',
    ({ commands }) => commands.execute(new AppendConversation(ref, { messages: [large] }, caller)),
  ],
  [
    'pinned',
    ({ commands }) => {
      const pin = { pinId: PinId('p'), kind: 'constraint' as const, text: WIDE };
      return commands.execute(new PinContent(ref, pin, caller));
    },
  ],
  [
    'a system prompt of a new session',
    ({ commands }) => commands.execute(new OpenSession(sessionRef('new'), { ...opening, ...fixed }, caller)),
  ],
  ['a changed system prompt', ({ commands }) => commands.execute(new ChangeSettings(ref, fixed, caller))],
  [
    'a mandate or system prompt of a child',
    ({ commands }) => {
      const input = { ...opening, ...fixed, parent: ref.session, mandate: WIDE };
      return commands.execute(new OpenChildSession(sessionRef('child'), input, caller));
    },
  ],
  [
    'in a transcript',
    ({ importer }) =>
      importer.import(
        'claude-code',
        itemsOf(imported),
        { tenant: TenantId('acme'), profile: 'core', window: 0 },
        caller,
      ),
  ],
])('a large text is counted off the event loop if it is %s', async (_, execute) => {
  const application = openApplication({ ...openMemoryLog(), counter: loopCounter });
  await openSession(application, ref, { window: 0 });
  await execute(application);
});
