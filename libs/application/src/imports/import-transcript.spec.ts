import { readModels } from '@app/adapters/models-file';
import type { ImportResult } from '@app/contract';
import type { SessionEvent } from '@app/domain';
import type { TranscriptItem } from '@app/formats';
import { SessionId, TenantId } from '@app/kernel';
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
  toolResult,
} from '@app/testing';
import { SKIPPED_MAX } from './import-transcript.js';
import type { ImportOptions } from './import-types.js';

const options: ImportOptions = { tenant: TenantId('acme'), profile: 'core' };

const importInto = (
  { importer }: Application,
  items: readonly TranscriptItem[],
  given: Partial<ImportOptions> = {},
): Promise<ImportResult> => importer.import('pi', itemsOf(items), { ...options, ...given }, caller);
const messagesIn = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'MessageAppended' ? [event.data.message] : []));
const idsOf = async ({ log }: Application, id = 's') =>
  messagesIn(await recordedEvents(log, sessionRef(id))).map((message) => message.id);

describe('an import', () => {
  it('appends the messages in order and completes each turn before the next', async () => {
    const application = openApplication(openMemoryLog());
    const { sessions } = await importInto(application, recordedSession('s', STORY));
    expect(sessions).toMatchObject([
      { session: 's', format: 'pi', messages: 6, turns: 2, toolCalls: 1, compactions: 0 },
    ]);
    const story = (await recordedEvents(application.log, sessionRef('s'))).map((event) =>
      event.type === 'MessageAppended' ? event.data.message.id : event.type,
    );
    expect(story).toEqual([
      'SessionOpened',
      ...['q1', 'call-c1', 'result-c1', 'a1', 'UsageReported', 'TurnCompleted'],
      ...['q2', 'a2', 'TurnCompleted'],
    ]);
  });

  it('takes the model from the first answer that names one, unless one is given', async () => {
    const models = { catalogFor: () => Promise.resolve(readModels()) };
    const application = openApplication({ ...openMemoryLog(), models });
    const answered = [said('q1', 'user'), said('a1', 'assistant', 'hi', { model: 'claude-opus-4-1' })];
    await importInto(application, recordedSession('s', answered));
    await importInto(application, recordedSession('t', answered), { model: 'gpt-5' });
    await importInto(application, recordedSession('u', [said('q1', 'user')]));
    const modelOf = async (id: string) => {
      const [opened] = await recordedEvents(application.log, sessionRef(id));
      return opened?.type === 'SessionOpened' ? [opened.data.model, opened.data.limits.window] : undefined;
    };
    expect(await modelOf('s')).toEqual(['claude-opus-4-1', 200_000]);
    expect(await modelOf('t')).toEqual(['gpt-5', 400_000]);
    expect(await modelOf('u')).toEqual(['unknown', 200_000]);
  });

  // Holds rule 11.13.
  it('takes the window from the transcript, unless a window or model is given', async () => {
    const application = openApplication(openMemoryLog());
    const told = (id: string): TranscriptItem[] => [
      { kind: 'session', session: { id, model: 'gpt-5', window: 121_600 } },
      ...recordedSession(id, STORY).slice(1),
    ];
    await importInto(application, told('s'));
    await importInto(application, told('t'), { window: 50_000 });
    await importInto(application, told('u'), { model: 'claude-opus-4-1' });
    const windowOf = async (id: string) => {
      const [opened] = await recordedEvents(application.log, sessionRef(id));
      return opened?.type === 'SessionOpened' ? opened.data.limits.window : undefined;
    };
    expect([await windowOf('s'), await windowOf('t'), await windowOf('u')]).toEqual([
      121_600, 50_000, 200_000,
    ]);
  });

  it('records usage for accounting only', async () => {
    const application = openApplication(openMemoryLog());
    await importInto(application, recordedSession('s', STORY));
    const reported = (await recordedEvents(application.log, sessionRef('s'))).filter(
      ({ type }) => type === 'UsageReported',
    );
    expect(reported).toMatchObject([
      {
        data: {
          usage: recordedUsage,
          model: 'claude-opus-4-1',
          source: 'transcript',
          outcome: 'completed',
          messageId: 'a1',
        },
      },
    ]);
    expect((await application.sessions.load(sessionRef('s'))).state).toMatchObject({ usage: undefined });
  });

  it('separates interleaved sessions and links children to their parents', async () => {
    const application = openApplication(openMemoryLog());
    const [parent, child] = [recordedSession('s', STORY), recordedSession('side', STORY.slice(0, 4), 's')];
    const items = parent.flatMap((item, at) => [item, ...(child[at] ? [child[at]] : [])]);
    const { sessions } = await importInto(application, items);
    expect(sessions.map(({ session: id, messages }) => [id, messages])).toEqual([
      ['s', 6],
      ['side', 4],
    ]);
    const [opened] = await recordedEvents(application.log, sessionRef('side'));
    expect(opened?.data).toMatchObject({ parentSessionId: SessionId('s') });
  });

  it('reports unreadable lines and opens no session without messages', async () => {
    const application = openApplication(openMemoryLog());
    const skipped: TranscriptItem = { kind: 'skipped', line: 7, reason: 'not JSON' };
    expect(await importInto(application, [...recordedSession('s', []), skipped])).toEqual({
      sessions: [],
      skipped: [{ line: 7, reason: 'not JSON' }],
      skippedLines: 1,
    });
    expect(await recordedEvents(application.log, sessionRef('s'))).toEqual([]);
  });

  it('names the first unreadable lines and counts the others', async () => {
    const items = Array.from({ length: SKIPPED_MAX + 5 }, (_, at): TranscriptItem => {
      return { kind: 'skipped', line: at + 1, reason: 'not JSON' };
    });
    const { skipped, skippedLines } = await importInto(openApplication(openMemoryLog()), items);
    expect(skipped.map(({ line }) => line)).toEqual(Array.from({ length: SKIPPED_MAX }, (_, at) => at + 1));
    expect(skippedLines).toBe(SKIPPED_MAX + 5);
  });

  it('splits many messages without an answer into several appends', async () => {
    const application = openApplication(openMemoryLog());
    const many = Array.from({ length: 1_700 }, (_, n) => said(`q${n}`, 'user' as const));
    const blocks = Array.from({ length: 1_700 }, (_, n) => ({ ...toolResult(`${n}`), id: `r${n}` }));
    await importInto(application, recordedSession('s', many));
    await importInto(application, recordedSession('t', [said('q', 'user'), ...blocks]));
    expect(await idsOf(application)).toEqual(many.map(({ id }) => id));
    expect(await idsOf(application, 't')).toHaveLength(1_701);
  });
});
