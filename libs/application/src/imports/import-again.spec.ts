import type { ImportResult } from '@app/contract';
import type { Message, SessionEvent } from '@app/domain';
import type { TranscriptItem, TranscriptMessage } from '@app/formats';
import { AppError, TenantId } from '@app/kernel';
import {
  type Application,
  caller,
  itemsOf,
  openApplication,
  openMemoryLog,
  recordedEvents,
  recordedSession,
  result,
  STORY,
  said,
  sessionRef,
  toolCall,
  toolResult,
  withWorker,
} from '@app/testing';
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

describe('a repeated import', () => {
  it('of an unchanged transcript records nothing', async () => {
    const application = openApplication(openMemoryLog());
    const first = await importInto(application, recordedSession('s', STORY));
    const events = await recordedEvents(application.log, sessionRef('s'));
    expect(await importInto(openApplication(application), recordedSession('s', STORY))).toEqual(first);
    expect(await recordedEvents(application.log, sessionRef('s'))).toEqual(events);
  });

  it('appends no continuation after a compaction, although the profile asks for one', async () => {
    const steps = Array.from({ length: 30 }, (_, at) => [
      { ...toolCall(`c${at}`), id: `step-${at}` },
      { ...toolResult(`c${at}`), blocks: [result(`c${at}`, 'found '.repeat(400))] },
    ]).flat();
    const story = [said('q1', 'user'), ...steps, said('a1', 'assistant')];
    const given = { profile: { name: 'mine', autoContinue: true }, window: 10_000 };
    const application = openApplication(openMemoryLog());
    await withWorker(application, () =>
      importInto(openApplication(application), recordedSession('s', story), given),
    );
    const events = await recordedEvents(application.log, sessionRef('s'));
    expect(events.map(({ type }) => type)).toContain('CompactionCompleted');
    expect(messagesIn(events).map(({ id }) => id)).toEqual(story.map(({ id }) => id));
  });

  it('resumes an import that was interrupted at any append', async () => {
    const whole = openApplication(openMemoryLog());
    await importInto(whole, recordedSession('s', STORY));
    const expected = await recordedEvents(whole.log, sessionRef('s'));
    for (let appends = 0; ; appends += 1) {
      const memory = openMemoryLog();
      const dying = openApplication({ ...memory, log: dyingAfter(appends, memory.log) });
      const survived = await importInto(dying, recordedSession('s', STORY)).then(
        () => true,
        () => false,
      );
      const next = openApplication(memory);
      await importInto(next, recordedSession('s', STORY));
      expect(await recordedEvents(memory.log, sessionRef('s'))).toEqual(expected);
      if (survived) return;
    }
  });

  it('continues after the appended messages and checks none of them twice', async () => {
    const application = openApplication(openMemoryLog());
    const asked: string[] = [];
    for (let imports = 0; ; imports += 1) {
      let left = 2;
      const admit = async ({ id }: Message): Promise<void> => {
        if (left === 0) throw new AppError('rate-limited', 'later');
        left -= 1;
        asked.push(id);
      };
      const done = await importInto(application, recordedSession('s', STORY), { admit }).then(
        () => true,
        () => false,
      );
      if (!done) continue;
      expect(imports).toBe(STORY.length / 2 - 1);
      break;
    }
    expect(asked).toEqual(STORY.map(({ id }) => id));
    expect(await idsOf(application)).toEqual(asked);
  });

  it('appends new messages, also within a turn', async () => {
    for (let count = 1; count <= STORY.length; count += 1) {
      const application = openApplication(openMemoryLog());
      await importInto(application, recordedSession('s', STORY.slice(0, count)));
      await importInto(application, recordedSession('s', STORY));
      expect(await idsOf(application)).toEqual(STORY.map(({ id }) => id));
      expect((await application.sessions.load(sessionRef('s'))).state).toMatchObject({
        turn: 2,
        turnCompleted: 2,
      });
    }
  });

  it('appends the blocks that a message has gained, once', async () => {
    const application = openApplication(openMemoryLog());
    const [first, second, third] = ['a', 'b', 'c'].map((id) => toolCall(id).blocks);
    const answer = (...blocks: (typeof first)[]): TranscriptMessage => ({
      id: 'answer',
      role: 'assistant',
      blocks: blocks.flatMap((one) => one ?? []),
    });
    const question = said('q1', 'user');
    const steps = [
      [question, answer(first), toolResult('a')],
      [question, answer(first, second), toolResult('a'), toolResult('b')],
      [
        question,
        answer(first, second, third),
        toolResult('a'),
        toolResult('b'),
        toolResult('c'),
        said('a2', 'assistant'),
      ],
    ];
    for (const messages of [...steps, ...steps.slice(-1)])
      await importInto(application, recordedSession('s', messages));
    expect(await idsOf(application)).toEqual([
      'q1',
      'answer',
      'result-a',
      'answer~1',
      'result-b',
      'answer~1~1',
      'result-c',
      'a2',
    ]);
    const blocks = messagesIn(await recordedEvents(application.log, sessionRef('s'))).flatMap(
      (message) => message.blocks,
    );
    expect(blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['another beginning', [said('x', 'user'), ...STORY]],
    ['a message less in the middle', STORY.filter(({ id }) => id !== 'a1')],
    [
      'a message more in the middle',
      STORY.flatMap((message) => (message.id === 'q2' ? [said('x', 'assistant'), message] : [message])),
    ],
    [
      'other words under an id',
      STORY.map((message) => (message.id === 'a1' ? said('a1', 'assistant', 'other') : message)),
    ],
    ['another order', STORY.toSpliced(0, 2, toolCall('c1'), said('q1', 'user'))],
  ])('rejects a different history without recording any of it: %s', async (_, story) => {
    const application = openApplication(openMemoryLog());
    await importInto(application, recordedSession('s', STORY));
    const events = await recordedEvents(application.log, sessionRef('s'));
    const refused = importInto(application, recordedSession('s', story));
    await expect(refused).rejects.toMatchObject({ code: 'session-diverged' });
    expect(await recordedEvents(application.log, sessionRef('s'))).toEqual(events);
  });

  it('of an older copy records nothing', async () => {
    const application = openApplication(openMemoryLog());
    await importInto(application, recordedSession('s', STORY));
    const events = await recordedEvents(application.log, sessionRef('s'));
    await importInto(application, recordedSession('s', STORY.slice(0, 3)));
    expect(await recordedEvents(application.log, sessionRef('s'))).toEqual(events);
  });
});

/** A log whose process dies before the append of that number. */
const dyingAfter = (appends: number, log: Application['log']): Application['log'] => {
  let left = appends;
  return {
    readForwards: (...given) => log.readForwards(...given),
    readBackwards: (...given) => log.readBackwards(...given),
    append: async (...given) => {
      left -= 1;
      if (left < 0) throw new Error('the process has died');
      return log.append(...given);
    },
  };
};
