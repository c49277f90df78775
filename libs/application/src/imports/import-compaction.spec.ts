import { isText, type SessionEvent } from '@app/domain';
import type { Retained, TranscriptCompaction, TranscriptItem } from '@app/formats';
import { IsoTime, MessageId, TenantId } from '@app/kernel';
import {
  type Application,
  caller,
  itemsOf,
  openApplication,
  openMemoryLog,
  recordedEvents,
  recordedSession,
  recordedUsage,
  STORY,
  said,
  sessionRef,
} from '@app/testing';
import { ComposeRequest } from '../commands/requests/compose-request.js';
import { ExplainCompaction, ExplainCompactionHandler } from '../queries/explanations/explain-compaction.js';
import { TraceMessage, TraceMessageHandler } from '../queries/provenance/trace-message.js';

const importInto = ({ importer }: Application, items: readonly TranscriptItem[]) =>
  importer.import('claude-code', itemsOf(items), { tenant: TenantId('acme'), profile: 'core' }, caller);

const compacted = (retained: Retained, more: Partial<TranscriptCompaction> = {}): TranscriptItem => ({
  kind: 'compaction',
  sessionId: 's',
  compaction: { id: 'c1', summary: 'What was done so far.', retained, ...more },
});
const after = [said('q3', 'user'), said('a3', 'assistant')];
const told = (compaction: TranscriptItem): readonly TranscriptItem[] => [
  ...recordedSession('s', STORY),
  compaction,
  ...recordedSession('s', after).slice(1),
];

const completedIn = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'CompactionCompleted' ? [event.data] : []));
const shown = async ({ sessions }: Application) => {
  const { state } = await sessions.load(sessionRef('s'));
  if (state.status !== 'open') throw new Error('there is no such session');
  return {
    summary: state.pivot?.summary,
    words: state.entries.map(({ message }) =>
      message.blocks.map((block) => (isText(block) ? block.text : block.type)).join(),
    ),
  };
};

describe('a compaction in a transcript', () => {
  // Holds rule 11.11.
  it('is recorded as an imported compaction', async () => {
    const application = openApplication(openMemoryLog());
    const at = IsoTime(new Date('2026-01-23T15:42:39.681Z'));
    const more = {
      trigger: 'automatic',
      createdAt: at,
      agentVersion: '2.1.7',
      tokensBefore: 156_699,
    } as const;
    const { sessions } = await importInto(application, told(compacted({ kind: 'none' }, more)));
    expect(sessions).toMatchObject([{ messages: 8, turns: 3, compactions: 1 }]);
    const events = await recordedEvents(application.log, sessionRef('s'));
    const types = events.map(({ type }) => type);
    const asked = types.indexOf('CompactionRequested');
    expect(types.slice(asked, asked + 3)).toEqual([
      'CompactionRequested',
      'CompactionCompleted',
      'CompactionApplied',
    ]);
    const [completed] = completedIn(events);
    expect(completed).toMatchObject({
      trigger: 'imported',
      summary: 'What was done so far.',
      cut: null,
      covered: { from: 'q1', to: 'a2', messages: 6 },
      summarizer: { name: 'claude-code', promptVersion: '2.1.7', deterministic: false },
      imported: { format: 'claude-code', trigger: 'automatic', at, tokensBefore: 156_699 },
    });
    expect(completed).not.toHaveProperty('cost');
    expect(completed?.fidelity?.score).toBeGreaterThanOrEqual(0);
    expect(completed?.retention.map(({ turn, rule }) => [turn, rule])).toEqual([
      [1, 'summarized'],
      [2, 'summarized'],
    ]);
  });

  it('produces the context that the agent saw', async () => {
    const retained: readonly [Retained, readonly string[]][] = [
      [{ kind: 'none' }, []],
      [{ kind: 'from', messageId: 'q2' }, ['q2', 'a2']],
      [
        {
          kind: 'listed',
          messages: [said('x', 'user', 'q1'), said('y', 'user', 'q2, cut short')],
        },
        ['q1', 'q2, cut short'],
      ],
    ];
    for (const [kept, words] of retained) {
      const application = openApplication(openMemoryLog());
      await importInto(application, told(compacted(kept)));
      expect(await shown(application)).toEqual({
        summary: 'What was done so far.',
        words: [...words, 'q3', 'a3'],
      });
      // Read from the log, without a cached state.
      expect(await shown(openApplication(application))).toEqual(await shown(application));
      const composed = await application.commands.execute(
        new ComposeRequest(sessionRef('s'), { format: 'anthropic' }, caller),
      );
      expect(composed).toMatchObject({ outcome: 'composed' });
    }
  });

  it('replaces the messages before it', async () => {
    const application = openApplication(openMemoryLog());
    await importInto(application, told(compacted({ kind: 'none' })));
    const trace = (message: string) =>
      new TraceMessageHandler(application).execute(new TraceMessage(sessionRef('s'), MessageId(message)));
    expect(await trace('q1')).toMatchObject({
      status: 'covered',
      chain: [{ action: 'covered', isInForce: true }],
    });
    expect(await trace('q3')).toMatchObject({ status: 'in-full', reason: 'after-the-cut' });
  });

  it('without a readable summary is kept for its provider', async () => {
    const application = openApplication(openMemoryLog());
    const items = [{ type: 'compaction', encrypted_content: 'AAAA' }];
    const { summary: _, ...opaque } = { summary: '', opaque: { provider: 'openai', items } };
    const compaction = compacted({ kind: 'none' }, opaque);
    if (compaction.kind !== 'compaction') throw new Error('it is one');
    const { summary: __, ...bare } = compaction.compaction;
    await importInto(application, told({ ...compaction, compaction: bare }));
    const [completed] = completedIn(await recordedEvents(application.log, sessionRef('s')));
    expect(completed).toMatchObject({ summary: null, native: { provider: 'openai', items } });
    expect(await shown(application)).toEqual({ summary: null, words: ['q3', 'a3'] });
  });

  it('can be the first and the last entry', async () => {
    const application = openApplication(openMemoryLog());
    const none = compacted({ kind: 'none' });
    const [open] = recordedSession('s', []);
    if (!open) throw new Error('there is a session');
    await importInto(application, [open, none]);
    expect(await shown(application)).toEqual({ summary: 'What was done so far.', words: [] });
    const another = openApplication(openMemoryLog());
    await importInto(another, [...recordedSession('s', STORY), none]);
    expect(await shown(openApplication(another))).toEqual({ summary: 'What was done so far.', words: [] });
  });

  it('is imported once, with its usage', async () => {
    const application = openApplication(openMemoryLog());
    const items = told(compacted({ kind: 'from', messageId: 'q2' }, { usage: recordedUsage }));
    await importInto(application, items);
    const events = await recordedEvents(application.log, sessionRef('s'));
    expect(completedIn(events)).toMatchObject([{ usage: recordedUsage }]);
    await importInto(openApplication(application), items);
    expect(await recordedEvents(application.log, sessionRef('s'))).toEqual(events);
  });

  it('at a place where the session has none is a different history', async () => {
    const application = openApplication(openMemoryLog());
    await importInto(application, [...recordedSession('s', [...STORY, ...after])]);
    await expect(importInto(application, told(compacted({ kind: 'none' })))).rejects.toMatchObject({
      code: 'session-diverged',
    });
  });

  it('can be explained', async () => {
    const application = openApplication(openMemoryLog());
    await importInto(application, told(compacted({ kind: 'from', messageId: 'q2' })));
    const events = await recordedEvents(application.log, sessionRef('s'));
    const id = completedIn(events)[0]?.compactionId;
    if (!id) throw new Error('there is a compaction');
    const explain = new ExplainCompactionHandler(application);
    expect(await explain.execute(new ExplainCompaction(sessionRef('s'), id))).toMatchObject({
      outcome: { status: 'completed', standing: { is: 'in-force' } },
      why: { trigger: 'imported' },
      imported: { format: 'claude-code', by: { name: 'claude-code', deterministic: false } },
      covered: { from: 'q1', to: 'a1', messages: 4, ids: ['q1', 'call-c1', 'result-c1', 'a1'] },
      attempts: [],
    });
  });
});

describe('a branch in a transcript', () => {
  const branch: readonly TranscriptItem[] = [
    {
      kind: 'session',
      session: { id: 'b', forkOf: { sessionId: 's', behind: { kind: 'message', id: 'a1' } } },
    },
    { kind: 'message', sessionId: 'b', message: said('q2b', 'user') },
    { kind: 'message', sessionId: 'b', message: said('a2b', 'assistant') },
  ];
  const items = [...recordedSession('s', STORY), ...branch];
  const idsIn = async ({ sessions }: Application, id: string) => {
    const { state } = await sessions.load(sessionRef(id));
    return state.status === 'open' ? state.entries.map(({ message }) => message.id) : [];
  };

  it('is a session that starts with the context of its parent', async () => {
    const application = openApplication(openMemoryLog());
    const { sessions } = await importInto(application, items);
    expect(sessions.map(({ session, turns }) => [session, turns])).toEqual([
      ['s', 2],
      ['b', 2],
    ]);
    expect(await idsIn(application, 's')).toEqual(STORY.map(({ id }) => id));
    expect(await idsIn(application, 'b')).toEqual(['q1', 'call-c1', 'result-c1', 'a1', 'q2b', 'a2b']);
  });

  it('can omit the content that its parent started with, including a summary', async () => {
    const application = openApplication(openMemoryLog());
    const leaves = (id: string, sessionId: string): TranscriptItem[] => [
      { kind: 'session', session: { id, forkOf: { sessionId, behind: { kind: 'message', id: 'a2' } } } },
      { kind: 'message', sessionId: id, message: said(`q-${id}`, 'user') },
    ];
    const kept = compacted({ kind: 'from', messageId: 'q2' });
    const story = [
      ...recordedSession('s', STORY.slice(0, 5)),
      kept,
      ...recordedSession('s', STORY.slice(5)).slice(1),
    ];
    await importInto(application, [...story, ...leaves('b', 's'), ...leaves('c', 'b')]);
    for (const id of ['b', 'c']) {
      expect(await idsIn(application, id)).toEqual(['q2', 'a2', `q-${id}`]);
      const { state } = await application.sessions.load(sessionRef(id));
      expect(state).toMatchObject({ pivot: { kind: 'fork', summary: 'What was done so far.' } });
    }
  });

  it('is imported once and can be continued', async () => {
    const application = openApplication(openMemoryLog());
    await importInto(application, items);
    const events = await recordedEvents(application.log, sessionRef('b'));
    await importInto(openApplication(application), items);
    expect(await recordedEvents(application.log, sessionRef('b'))).toEqual(events);
    const grown: TranscriptItem = { kind: 'message', sessionId: 'b', message: said('q3b', 'user') };
    await importInto(openApplication(application), [...items, grown]);
    expect((await idsIn(application, 'b')).at(-1)).toBe('q3b');
  });
});
