import type { SessionEvent } from '@app/domain';
import type { TranscriptItem } from '@app/formats';
import { AppError, PinId, SessionId, TenantId, Tokens } from '@app/kernel';
import type { EventLog } from '@app/ports';
import {
  type Application,
  caller,
  itemsOf,
  openApplication,
  openMemoryLog,
  recordedEvents,
  recordedSession,
  recordedUsage,
  result,
  said,
  sessionRef,
  toolCall,
  toolResult,
  withWorker,
} from '@app/testing';
import { streamOf } from '../sessions/session-ref.js';
import type { ImportOptions } from './import-types.js';

const options: ImportOptions = { tenant: TenantId('acme'), profile: 'core', window: 1_000_000 };
const ref = sessionRef('s');

const importInto = ({ importer }: Application, items: readonly TranscriptItem[], window?: number) =>
  importer.import('pi', itemsOf(items), { ...options, ...(window && { window }) }, caller);
const eventsOf = ({ log }: Pick<Application, 'log'>) => recordedEvents(log, ref);
const storyOf = (events: readonly SessionEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'MessageAppended' ? event.data.message.id : event.type));
const tokensIn = (events: readonly SessionEvent[]): number =>
  events.reduce((sum, event) => sum + (event.type === 'MessageAppended' ? event.data.tokens : 0), 0);

/** Turns of three calls each, 50 kB a result: two of them fill an append. */
const TURNS = 8;
const LONG = Array.from({ length: TURNS }, (_, turn) => [
  said(`q${turn}`, 'user'),
  ...[0, 1, 2].flatMap((step) => {
    const id = `c${turn}-${step}`;
    return [toolCall(id), { ...toolResult(id), blocks: [result(id, 'found '.repeat(10_000))] }];
  }),
  said(`a${turn}`, 'assistant', 'done', { model: 'm', usage: recordedUsage }),
]).flat();
const STORY = [
  'SessionOpened',
  ...LONG.flatMap(({ id }) => (id.startsWith('a') ? [id, 'UsageReported', 'TurnCompleted'] : [id])),
];

describe('ImportMessages', () => {
  it('records events in order, many per append', async () => {
    const memory = openMemoryLog();
    let appends = 0;
    const log = watched(memory.log, async () => {
      appends += 1;
    });
    const { sessions } = await importInto(openApplication({ ...memory, log }), recordedSession('s', LONG));
    const events = await eventsOf(memory);
    expect(storyOf(events)).toEqual(STORY);
    expect(appends).toBeLessThan(LONG.length / 6);
    expect(sessions).toMatchObject([{ turns: TURNS, tokens: tokensIn(events) }]);
  });

  it('gives each event the ID of its turn', async () => {
    const application = openApplication(openMemoryLog());
    await importInto(application, recordedSession('s', LONG));
    let turn = 0;
    for await (const { event, context } of application.log.readForwards(streamOf(ref))) {
      if (event.type === 'MessageAppended' && event.data.message.id.startsWith('q')) turn += 1;
      expect(context.correlationId).toBe(`s/turn-${turn}`);
    }
    expect(turn).toBe(TURNS);
  });

  it('loses and repeats nothing if another writer appends between its appends', async () => {
    for (let at = 1; ; at += 1) {
      const memory = openMemoryLog();
      let appends = 0;
      const log = watched(memory.log, async () => {
        appends += 1;
        if (appends === at + 1) await pinned(openApplication(memory));
      });
      const { sessions } = await importInto(openApplication({ ...memory, log }), recordedSession('s', LONG));
      const events = await eventsOf(memory);
      expect(storyOf(events).filter((one) => one !== 'ContentPinned')).toEqual(STORY);
      expect(sessions).toMatchObject([{ tokens: tokensIn(events) }]);
      if (appends <= at) return;
    }
  });

  it('resumes after an interruption at any append', async () => {
    for (let at = 0; ; at += 1) {
      const memory = openMemoryLog();
      let left = at;
      const log = watched(memory.log, async () => {
        left -= 1;
        if (left < 0) throw new AppError('event-store-unavailable', 'gone');
      });
      const application = openApplication({ ...memory, log });
      const survived = await importInto(application, recordedSession('s', LONG)).then(
        () => true,
        () => false,
      );
      await importInto(openApplication(memory), recordedSession('s', LONG));
      expect(storyOf(await eventsOf(memory))).toEqual(STORY);
      if (survived) return;
    }
  });

  it('records the messages before the transcript broke off', async () => {
    const application = openApplication(openMemoryLog());
    const broken = async function* (): AsyncGenerator<TranscriptItem> {
      yield* recordedSession('s', LONG.slice(0, 5));
      throw new Error('the disk is gone');
    };
    await expect(application.importer.import('pi', broken(), options, caller)).rejects.toThrow('gone');
    expect(storyOf(await eventsOf(application))).toEqual(STORY.slice(0, 6));
  });

  it('puts a due compaction before the next answer', async () => {
    const application = openApplication(openMemoryLog());
    await withWorker(application, () =>
      importInto(openApplication(application), recordedSession('s', LONG), 50_000),
    );
    const events = await eventsOf(application);
    expect(storyOf(events).filter((one) => !/^[A-Z]/.test(one))).toEqual(LONG.map(({ id }) => id));
    let underWay = false;
    let completed = 0;
    for (const event of events) {
      if (event.type === 'CompactionRequested') underWay = true;
      if (event.type === 'CompactionCompleted') {
        underWay = false;
        completed += 1;
      }
      const isAnswer = event.type === 'MessageAppended' && event.data.message.role === 'assistant';
      expect(isAnswer && underWay).toBe(false);
    }
    expect(completed).toBeGreaterThan(2);
  });
});

const watched = (log: EventLog, before: () => Promise<void>): EventLog => ({
  readForwards: (...given) => log.readForwards(...given),
  readBackwards: (...given) => log.readBackwards(...given),
  append: async (...given) => {
    await before();
    return log.append(...given);
  },
});

const pinned = ({ sessions }: Application) => {
  const pin = { pinId: PinId('p'), kind: 'constraint', text: 'careful', tokens: Tokens(2) } as const;
  return sessions.execute(ref, { type: 'PinContent', data: { sessionId: SessionId('s'), pin } }, caller);
};
