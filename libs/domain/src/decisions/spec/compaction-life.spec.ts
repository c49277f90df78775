import { decide, evolve, initialState } from '@app/domain';
import {
  append,
  assistant,
  call,
  compactable,
  complete,
  eventsOf,
  failAttempt,
  open,
  request,
  result,
  specificationOf,
  start,
  summaryOfSize,
  system,
  thinking,
  turns,
  user,
} from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });
const requested = [...compactable(), request()];
const running = [...requested, start()];

describe('requesting a compaction', () => {
  it('records the request, for a worker to take it from there', () =>
    given(...eventsOf(...compactable()))
      .when(request())
      .thenRecords('CompactionRequested'));

  it('joins the one that is requested', () =>
    given(...eventsOf(...requested))
      .when(request('c2'))
      .thenNothing());
  it('joins the one that is under way', () =>
    given(...eventsOf(...running))
      .when(request('c2'))
      .thenNothing());

  it('is answered at once where there is nothing to drop', () =>
    given(...eventsOf(open(), append(...turns(2))))
      .when(request())
      .thenRecords('CompactionRequested', 'CompactionSkipped'));

  it('is not answered twice', () =>
    given(...eventsOf(open(), append(...turns(2)), request()))
      .when(request())
      .thenNothing());
});

describe('starting a compaction', () => {
  it('begins the first attempt', () =>
    given(...eventsOf(...requested))
      .when(start())
      .thenRecords('CompactionStarted'));

  it('says who summarizes, with which model and prompt, whether that is deterministic, and of which input', () => {
    const { type, data } = start();
    const summarizer = { name: 'some', model: 'claude-haiku-4-5', promptVersion: '3', deterministic: false };
    const [started] = given(...eventsOf(...compactable(), request()))
      .when({ type, data: { ...data, summarizer, inputHash: 'f'.repeat(64) } })
      .events();
    expect(started).toMatchObject({
      type: 'CompactionStarted',
      data: { summarizer, inputHash: 'f'.repeat(64) },
    });
  });
  it('does nothing for a compaction that nobody requested, or that has ended', () => {
    given(...eventsOf(...compactable()))
      .when(start())
      .thenNothing();
    given(...eventsOf(...running, complete()))
      .when(start())
      .thenNothing();
  });

  it('ends the attempt of a worker that died before it begins the next', () => {
    const events = given(...eventsOf(...running))
      .when(start('c1', 'w2'))
      .events();
    expect(events).toMatchObject([
      { type: 'CompactionAttemptFailed', data: { attempt: 1, error: { rule: 'worker-lost' } } },
      { type: 'CompactionStarted', data: { attempt: 2, worker: 'w2' } },
    ]);
  });

  it('begins the next attempt after one that failed', () =>
    given(...eventsOf(...running, failAttempt()))
      .when(start())
      .thenRecords('CompactionStarted'));

  it('gives up where the last worker died in the last attempt', () =>
    given(...eventsOf(...compactable({ profile: { maxAttempts: 1 } }), request(), start()))
      .when(start('c1', 'w2'))
      .thenRecords('CompactionAttemptFailed', 'CompactionFailed'));

  it('does what was requested, whatever has come since', () => {
    const past = eventsOf(...requested, append(...turns(2, 150, 11)));
    const asked = past.find((event) => event.type === 'CompactionRequested');
    const [started] = given(...past)
      .when(start())
      .events();
    const { stages, cut, target, coveredMessages, countedBefore } = asked?.data.plan ?? {};
    expect(started?.data).toMatchObject({
      stages,
      cut,
      target,
      coveredMessages,
      countedBefore,
    });
    expect(started?.data).not.toHaveProperty('replanned');
  });

  const split = [
    open({ profile: { keepRecentTurns: 1 } }),
    append(
      user('u1', 'go'),
      assistant('a1', thinking('hm', 'sig'), call('c')),
      user('r1', result('c', 'x'.repeat(4_000))),
      system('s1', 'y'.repeat(1_200)),
    ),
    request(),
  ];
  it('makes the plan anew where a step has come that belongs before the cut, and says so', () => {
    const [started] = given(
      ...eventsOf(...split, append(assistant('a2', 'x'.repeat(2_000)), ...turns(2, 150, 11))),
    )
      .when(start())
      .events();
    expect(started).toMatchObject({ type: 'CompactionStarted', data: { replanned: true } });
  });

  it('skips what has nothing to drop any more', () =>
    given(...eventsOf(...split, append(assistant('a2', 'done'))))
      .when(start())
      .thenRecords('CompactionSkipped'));
});

describe('completing a compaction', () => {
  it('is recorded and in force in one append', () =>
    given(...eventsOf(...running))
      .when(complete())
      .thenRecords('CompactionCompleted', 'CompactionApplied'));

  it('is recorded once', () =>
    given(...eventsOf(...running, complete()))
      .when(complete())
      .thenNothing());

  it('records what a second worker paid, once, and applies nothing of it', () => {
    const past = [...running, start('c1', 'w2'), complete('c1', { attempt: 2 })];
    given(...eventsOf(...past))
      .when(complete())
      .thenRecords('CompactionDuplicated');
    given(...eventsOf(...past, complete()))
      .when(complete())
      .thenNothing();
  });

  it('records what a replaced worker paid while its successor still runs', () =>
    given(...eventsOf(...running, start('c1', 'w2')))
      .when(complete())
      .thenRecords('CompactionDuplicated'));

  it('that was refused is not refused twice', () => {
    const refused = complete('c1', { summary: { text: ' ' } });
    given(...eventsOf(...running))
      .when(refused)
      .thenRecords('CompactionAttemptFailed');
    given(...eventsOf(...running, refused))
      .when(refused)
      .thenNothing();
  });

  it('is given up after the last attempt', () =>
    given(...eventsOf(...compactable({ profile: { maxAttempts: 1 } }), request(), start()))
      .when(complete('c1', { summary: { text: '' } }))
      .thenRecords('CompactionAttemptFailed', 'CompactionFailed'));

  it('says that a summary is too long before it refuses it', () =>
    given(...eventsOf(...running))
      .when(complete('c1', { summary: { text: summaryOfSize(201) } }))
      .thenRecords('CompactionSummaryExceededLimit', 'CompactionAttemptFailed'));

  it('takes a summary that fills its budget to the last token', () =>
    given(...eventsOf(...running))
      .when(complete('c1', { summary: { text: summaryOfSize(200) } }))
      .thenRecords('CompactionCompleted', 'CompactionApplied'));

  it('is not applied where a step has come that belongs before the cut', () => {
    const split = [
      open({ profile: { keepRecentTurns: 1 } }),
      append(
        user('u1', 'go'),
        assistant('a1', thinking('hm', 'sig'), call('c')),
        user('r1', result('c', 'x'.repeat(4_000))),
        system('s1', 'y'.repeat(1_200)),
      ),
      request(),
      start(),
    ];
    // It has no reasoning of its own: it goes on with that of `a1`, which the summary was to replace.
    const events = given(...eventsOf(...split, append(assistant('a2', 'done'))))
      .when(complete())
      .events();
    expect(events).toMatchObject([
      { type: 'CompactionAttemptFailed', data: { error: { rule: 'superseded' } } },
    ]);
    given(...eventsOf(...split))
      .when(complete())
      .thenRecords('CompactionCompleted', 'CompactionApplied');
  });
});

describe('failing an attempt', () => {
  it('leaves the compaction to the next worker', () =>
    given(...eventsOf(...running))
      .when(failAttempt())
      .thenRecords('CompactionAttemptFailed'));
  it('is recorded once', () =>
    given(...eventsOf(...running, failAttempt()))
      .when(failAttempt())
      .thenNothing());
  it('does nothing for an attempt that another has replaced', () =>
    given(...eventsOf(...running, start('c1', 'w2')))
      .when(failAttempt('c1', 1))
      .thenNothing());
});
