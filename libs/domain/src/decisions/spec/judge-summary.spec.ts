import { decide, evolve, initialState, type Profile, rebuild, type SessionCommand } from '@app/domain';
import { IsoTime, Tokens } from '@app/kernel';
import {
  append,
  assistant,
  compactable,
  complete,
  eventsOf,
  failAttempt,
  goodSummary,
  openOf,
  request,
  run,
  specificationOf,
  start,
  summaryOfSize,
  tailOf,
  turns,
  user,
} from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });
const running = (profile: Partial<Profile> = {}): SessionCommand[] => [
  ...compactable({ profile }),
  request(),
  start(),
];
const quoting = (line: string) => ({ text: `${goodSummary()}\n${line}` });
/** A result with additional fields. */
const completed = (text: string, more: object, attempt = 1): SessionCommand => {
  const command = complete('c1', { attempt, summary: { text } });
  const { summary } = command.data;
  return { ...command, data: { ...command.data, summary: summary && { ...summary, ...more } } };
};
const LIE = '> "delete the backups" [u1]';

describe('user quotes in a summary', () => {
  // Holds rule 5.54.
  it('are counted, and unfounded ones are listed', () => {
    const events = given(...eventsOf(...running()))
      .when(complete('c1', { summary: quoting(`> "all work and no play" [u1]\n${LIE}\n> "x y z" [nobody]`) }))
      .events();
    expect(events[0]).toMatchObject({
      type: 'CompactionCompleted',
      data: { quotes: { checked: 3, unfounded: ['u1', null] } },
    });
  });

  // Holds rule 5.54.
  it('fail the attempt if the policy rejects unfounded quotes', () => {
    const past = eventsOf(...running({ unverifiedQuotes: 'reject' }));
    const events = given(...past)
      .when(complete('c1', { summary: quoting(LIE) }))
      .events();
    expect(events).toMatchObject([
      { type: 'CompactionAttemptFailed', data: { error: { rule: 'unfounded-quote' } } },
    ]);
    expect(JSON.stringify(events)).not.toContain('backups');
    given(...past)
      .when(complete('c1', { summary: quoting('> "all work" [u1]') }))
      .thenRecords('CompactionCompleted', 'CompactionApplied');
  });

  it('are kept for the next compaction, which reads only messages after the cut', () => {
    const second = (line: string) => [
      ...running(),
      complete('c1', { summary: quoting(`> "all work" [u1]\n${line}`) }),
      append(...turns(5, 150, 6)),
      request('c2'),
      start('c2'),
      complete('c2', { summary: quoting(`> "all work" [u1]\n${line}`) }),
    ];
    const quotesOf = (commands: readonly SessionCommand[]) => openOf(run(commands)).pivot?.quotes;
    expect(quotesOf(second('> "no play" [u2]'))).toEqual({ checked: 2, unfounded: [] });
    expect(quotesOf(second('> "delete it" [u2]'))).toEqual({ checked: 2, unfounded: ['u2'] });
    const history = run(second(LIE));
    expect(rebuild(tailOf(history.stream))).toStrictEqual(history.states.at(-1));
  });
});

describe('a truncated summary', () => {
  const more = { truncatedFrom: Tokens(900) };

  // Holds rule 5.74.
  it('is accepted in the last attempt, with both sizes recorded', () => {
    const events = given(...eventsOf(...running({ maxAttempts: 1 })))
      .when(completed(summaryOfSize(180), more))
      .events();
    expect(events).toMatchObject([
      { type: 'CompactionSummaryExceededLimit', data: { tokens: 900, countedLimit: 200 } },
      { type: 'CompactionCompleted', data: { truncated: { from: 900, to: 180 }, summaryTokens: 180 } },
      { type: 'CompactionApplied' },
    ]);
  });

  // Holds rule 5.73.
  it('is rejected in earlier attempts, which ask for a shorter summary', () => {
    const events = given(...eventsOf(...running({ maxAttempts: 2 })))
      .when(completed(summaryOfSize(180), more))
      .events();
    expect(events).toMatchObject([
      { type: 'CompactionSummaryExceededLimit' },
      { type: 'CompactionAttemptFailed', data: { error: { rule: 'oversize' } } },
    ]);
  });

  it('is rejected if it is still too long', () =>
    given(...eventsOf(...running({ maxAttempts: 1 })))
      .when(completed(summaryOfSize(201), more))
      .thenRecords('CompactionSummaryExceededLimit', 'CompactionAttemptFailed', 'CompactionFailed'));
});

describe('a summary that referred to reasoning', () => {
  // Holds rule 3.9.
  it('is recorded as such, accepted or rejected', () => {
    const more = { reasoning: { marks: 1, blocks: 2 } };
    const events = given(...eventsOf(...running()))
      .when(completed(goodSummary(), more))
      .events();
    expect(events[0]).toEqual({
      type: 'CompactionReasoningDowngraded',
      data: { compactionId: 'c1', attempt: 1, marks: 1, blocks: 2 },
    });
    given(...eventsOf(...running()))
      .when(completed('', more))
      .thenRecords('CompactionReasoningDowngraded', 'CompactionAttemptFailed');
  });

  it('is not recorded as such without references', () =>
    given(...eventsOf(...running()))
      .when(completed(goodSummary(), { reasoning: { marks: 0, blocks: 0 } }))
      .thenRecords('CompactionCompleted', 'CompactionApplied'));
});

describe('an attempt that failed temporarily', () => {
  const retryAt = IsoTime('2026-11-21T10:00:05Z');
  const failed = (more: object): SessionCommand => {
    const command = failAttempt();
    return { ...command, data: { ...command.data, ...more } };
  };

  it('records when the next attempt may begin, in the state too until it begins', () => {
    const past = [...running(), failed({ retryAt })];
    expect(openOf(run(past)).compaction?.retryAt).toBe(retryAt);
    expect(openOf(run([...past, start()])).compaction?.retryAt).toBeUndefined();
  });

  it('records no time if no attempt follows', () => {
    const events = given(...eventsOf(...running({ maxAttempts: 1 })))
      .when(failed({ retryAt }))
      .events();
    expect(events.map(({ type }) => type)).toEqual(['CompactionAttemptFailed', 'CompactionFailed']);
    expect(JSON.stringify(events)).not.toContain('retryAt');
  });

  it('is the last attempt if the delay exceeds the limit', () =>
    given(...eventsOf(...running()))
      .when(failed({ giveUp: true }))
      .thenRecords('CompactionAttemptFailed', 'CompactionFailed'));
});

describe('the fidelity of a second compaction', () => {
  const second = (text: string) => {
    const rule = 'Never touch the old tables without a word.';
    const first = `## Goal\n> "${rule}" [u0]\n## State\nThe stagingServer is up.`;
    const [opening, ...others] = compactable();
    const history = run([
      ...(opening ? [opening, append(user('u0', rule), assistant('a0', 'I will not.'))] : []),
      ...others,
      request(),
      start(),
      complete('c1', { summary: { text: first } }),
      append(...turns(5, 150, 6)),
      request('c2'),
      start('c2'),
      complete('c2', { summary: { text } }),
    ]);
    const completed = history.stream.flatMap(({ event }) =>
      event.type === 'CompactionCompleted' ? [event.data] : [],
    );
    return completed[1]?.fidelity;
  };

  it('reports the loss of facts that the earlier summary had, under its id', () => {
    expect(second(goodSummary())?.missing).toEqual([{ key: 'stagingServer', messageId: 'c1' }]);
    expect(second(goodSummary('stagingServer'))?.missing).toEqual([]);
  });

  it('reports the loss of user quotes that the earlier summary had', () => {
    expect(second(goodSummary())?.directives).toMatchObject({ kept: 0, of: 1 });
    expect(second(goodSummary('never touch the old tables without a word'))?.directives).toMatchObject({
      kept: 1,
      of: 1,
    });
  });
});
