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
  // Holds rule 5.2.
  it('records the request for a worker', () =>
    given(...eventsOf(...compactable()))
      .when(request())
      .thenRecords('CompactionRequested'));

  // Holds rule 5.16.
  it('returns the requested compaction if one is requested', () =>
    given(...eventsOf(...requested))
      .when(request('c2'))
      .thenNothing());
  // Holds rule 5.16.
  it('returns the running compaction if one is running', () =>
    given(...eventsOf(...running))
      .when(request('c2'))
      .thenNothing());

  // Holds rule 5.13.
  it('records a skip at once if there is nothing to drop', () =>
    given(...eventsOf(open(), append(...turns(2))))
      .when(request())
      .thenRecords('CompactionRequested', 'CompactionSkipped'));

  it('records nothing for a repeated request', () =>
    given(...eventsOf(open(), append(...turns(2)), request()))
      .when(request())
      .thenNothing());
});

describe('starting a compaction', () => {
  it('records the first attempt', () =>
    given(...eventsOf(...requested))
      .when(start())
      .thenRecords('CompactionStarted'));

  // Holds rule 6.2.
  it('records summarizer, model, prompt, determinism and input', () => {
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
  it('records nothing for an unknown or ended compaction', () => {
    given(...eventsOf(...compactable()))
      .when(start())
      .thenNothing();
    given(...eventsOf(...running, complete()))
      .when(start())
      .thenNothing();
  });

  // Holds rules 5.15, 5.18.
  it('fails the attempt of a dead worker before it records the next', () => {
    const events = given(...eventsOf(...running))
      .when(start('c1', 'w2'))
      .events();
    expect(events).toMatchObject([
      { type: 'CompactionAttemptFailed', data: { attempt: 1, error: { rule: 'worker-lost' } } },
      { type: 'CompactionStarted', data: { attempt: 2, worker: 'w2' } },
    ]);
  });

  it('records the next attempt after a failed one', () =>
    given(...eventsOf(...running, failAttempt()))
      .when(start())
      .thenRecords('CompactionStarted'));

  // Holds rule 5.18.
  it('fails the compaction if the last worker died in the last attempt', () =>
    given(...eventsOf(...compactable({ profile: { maxAttempts: 1 } }), request(), start()))
      .when(start('c1', 'w2'))
      .thenRecords('CompactionAttemptFailed', 'CompactionFailed'));

  // Holds rule 6.13.
  it('keeps the requested plan regardless of later messages', () => {
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
  // Holds rule 6.13.
  it('records a new plan if a late step belongs before the cut', () => {
    const [started] = given(
      ...eventsOf(...split, append(assistant('a2', 'x'.repeat(2_000)), ...turns(2, 150, 11))),
    )
      .when(start())
      .events();
    expect(started).toMatchObject({ type: 'CompactionStarted', data: { replanned: true } });
  });

  // Holds rule 5.13.
  it('records a skip if there is nothing left to drop', () =>
    given(...eventsOf(...split, append(assistant('a2', 'done'))))
      .when(start())
      .thenRecords('CompactionSkipped'));
});

describe('completing a compaction', () => {
  // Holds rule 5.11.
  it('records completion and application in one append', () =>
    given(...eventsOf(...running))
      .when(complete())
      .thenRecords('CompactionCompleted', 'CompactionApplied'));

  it('records the same result once', () =>
    given(...eventsOf(...running, complete()))
      .when(complete())
      .thenNothing());

  // Holds rule 5.19.
  it('records the cost of a second worker once, and applies nothing of its result', () => {
    const past = [...running, start('c1', 'w2'), complete('c1', { attempt: 2 })];
    given(...eventsOf(...past))
      .when(complete())
      .thenRecords('CompactionDuplicated');
    given(...eventsOf(...past, complete()))
      .when(complete())
      .thenNothing();
  });

  it('records the cost of a replaced worker while its successor runs', () =>
    given(...eventsOf(...running, start('c1', 'w2')))
      .when(complete())
      .thenRecords('CompactionDuplicated'));

  it('records the same rejection once', () => {
    const refused = complete('c1', { summary: { text: ' ' } });
    given(...eventsOf(...running))
      .when(refused)
      .thenRecords('CompactionAttemptFailed');
    given(...eventsOf(...running, refused))
      .when(refused)
      .thenNothing();
  });

  it('fails the compaction after the last attempt', () =>
    given(...eventsOf(...compactable({ profile: { maxAttempts: 1 } }), request(), start()))
      .when(complete('c1', { summary: { text: '' } }))
      .thenRecords('CompactionAttemptFailed', 'CompactionFailed'));

  // Holds rules 5.59, 5.73.
  it('records the size of an oversize summary before the failure', () =>
    given(...eventsOf(...running))
      .when(complete('c1', { summary: { text: summaryOfSize(201) } }))
      .thenRecords('CompactionSummaryExceededLimit', 'CompactionAttemptFailed'));

  it('accepts a summary that fills its budget to the last token', () =>
    given(...eventsOf(...running))
      .when(complete('c1', { summary: { text: summaryOfSize(200) } }))
      .thenRecords('CompactionCompleted', 'CompactionApplied'));

  // Holds rule 5.22.
  it('rejects the result if a late step belongs before the cut', () => {
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
    // It has no reasoning of its own: it continues that of `a1`, which the summary was to replace.
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
  it('records the same failure once', () =>
    given(...eventsOf(...running, failAttempt()))
      .when(failAttempt())
      .thenNothing());
  it('records nothing for a replaced attempt', () =>
    given(...eventsOf(...running, start('c1', 'w2')))
      .when(failAttempt('c1', 1))
      .thenNothing());
});
