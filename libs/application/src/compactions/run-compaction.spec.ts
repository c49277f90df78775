import type { SessionEventType } from '@app/domain';
import { InvariantViolation } from '@app/kernel';
import type { SummaryResult } from '@app/ports';
import {
  type Application,
  caller,
  gate,
  goodResult,
  playTurns,
  recordedEvents,
  requestCompaction,
  requestedCompaction,
  ScriptedSummarizer,
  sessionRef,
  textMessage,
  typesAfterRequest,
} from '@app/testing';
import { jest } from '@jest/globals';
import { AppendMessages } from '../commands/append-messages.js';
import { CheckBudget } from '../commands/check-budget.js';
import { GetContext, GetContextHandler } from '../queries/get-context.js';

const ref = sessionRef();
const never = () => new AbortController().signal;

const countOf = (types: readonly SessionEventType[], type: SessionEventType) =>
  types.filter((one) => one === type).length;
const contextOf = async ({ sessions }: Application) => {
  const { request } = await new GetContextHandler({ sessions }).execute(new GetContext(ref, 'anthropic'));
  return JSON.stringify(request);
};
describe('a compaction run', () => {
  it('puts its result in force', async () => {
    const { application, id } = await requestedCompaction();
    const summarizer = new ScriptedSummarizer();
    expect(await application.runner('w1', summarizer).run(ref, id, 'cause', never())).toBe('ended');
    expect(await typesAfterRequest(application)).toEqual([
      'CompactionStarted',
      'CompactionCompleted',
      'CompactionApplied',
    ]);
    expect(await contextOf(application)).toContain('Finish everything.');
    expect(summarizer.requests).toHaveLength(1);
  });

  it('changes nothing when it is repeated', async () => {
    const { application, id } = await requestedCompaction();
    const run = () => application.runner('w1').run(ref, id, 'cause', never());
    await run();
    const before = await recordedEvents(application.log, ref);
    expect(await run()).toBe('ended');
    expect(await recordedEvents(application.log, ref)).toEqual(before);
  });

  // Holds rule 5.20.
  it('keeps every message that arrives during the run', async () => {
    const { application, id } = await requestedCompaction();
    const { turn, open, arrived } = gate();
    const running = application.runner('w1', new ScriptedSummarizer(turn)).run(ref, id, 'cause', never());
    await arrived;
    await playTurns(application, ref, 12, 14);
    await application.commands.execute(
      new AppendMessages(ref, [textMessage('newest', 'the newest')], caller),
    );
    open();
    await running;
    expect(countOf(await typesAfterRequest(application), 'CompactionApplied')).toBe(1);
    const context = await contextOf(application);
    for (const kept of [
      'question 12',
      'answer 12',
      'question 13',
      'answer 13',
      'the newest',
      'Finish what waited',
    ])
      expect(context).toContain(kept);
  });

  it('serves requests that arrive during the run', async () => {
    const { application, id } = await requestedCompaction();
    expect(await requestCompaction(application, ref)).toEqual({ status: 'joined', compactionId: id });
    const { turn, open, arrived } = gate();
    const running = application.runner('w1', new ScriptedSummarizer(turn)).run(ref, id, 'cause', never());
    await arrived;
    expect(await requestCompaction(application, ref)).toEqual({ status: 'joined', compactionId: id });
    const check = await application.commands.execute(new CheckBudget(ref, caller));
    expect(check.compactionId).toBe(id);
    open();
    await running;
    const events = await recordedEvents(application.log, ref);
    expect(events.filter(({ type }) => type === 'CompactionRequested')).toHaveLength(1);
  });
});

const GARBAGE: readonly (readonly [what: string, result: SummaryResult])[] = [
  ['nothing', { text: '', finish: 'stop' }],
  ['blanks', { text: ' \n\t\n ', finish: 'stop' }],
  ['a part, cut off by length', { ...goodResult(), finish: 'length' }],
  ['a filtered answer', { ...goodResult(), finish: 'filtered' }],
  ['a tool call', { ...goodResult(), finish: 'tool-call' }],
  ['a refusal, by its finish', { ...goodResult(), finish: 'refusal' }],
  ['a refusal, by its words', { text: 'I’m sorry, I cannot do that.', finish: 'stop' }],
  ['no sections', { text: 'All is well.', finish: 'stop' }],
  ['more than it replaces', { text: `${goodResult().text}\n${'long '.repeat(20_000)}`, finish: 'stop' }],
  ['invalid Unicode', { text: `${goodResult().text}\ud800`, finish: 'stop' }],
  ['no text at all', JSON.parse('{"finish":"stop"}')],
  ['null', JSON.parse('null')],
];

describe('a failed attempt', () => {
  it.each(GARBAGE)('is recorded and followed by another: %s', async (_, result) => {
    const { application, id } = await requestedCompaction();
    const before = await contextOf(application);
    let between = '';
    const summarizer = new ScriptedSummarizer(
      () => result,
      async () => {
        between = await contextOf(application);
        return goodResult();
      },
    );
    expect(await application.runner('w1', summarizer).run(ref, id, 'cause', never())).toBe('ended');
    const types = await typesAfterRequest(application);
    expect(countOf(types, 'CompactionAttemptFailed')).toBe(1);
    expect(types.slice(-2)).toEqual(['CompactionCompleted', 'CompactionApplied']);
    expect(between).toBe(before);
    const [first, second] = summarizer.requests;
    expect(second?.sizeMax).toBeLessThan(first?.sizeMax ?? 0);
  });

  it('is recorded with the class of the error only', async () => {
    const { application, id } = await requestedCompaction();
    const summarizer = new ScriptedSummarizer(() => {
      throw new TypeError('a secret of the session');
    });
    await application.runner('w1', summarizer).run(ref, id, 'cause', never());
    const failed = (await recordedEvents(application.log, ref)).find(
      ({ type }) => type === 'CompactionAttemptFailed',
    );
    expect(failed?.data).toMatchObject({ attempt: 1, error: { rule: 'summarizer', detail: 'TypeError' } });
    expect(JSON.stringify(failed)).not.toContain('secret');
  });

  it('leaves the context byte-identical after the last one', async () => {
    const { application, id } = await requestedCompaction();
    const before = await contextOf(application);
    const fail = (): never => {
      throw new Error('down');
    };
    const summarizer = new ScriptedSummarizer(fail, fail, fail, fail);
    expect(await application.runner('w1', summarizer).run(ref, id, 'cause', never())).toBe('ended');
    const types = await typesAfterRequest(application);
    expect(types.at(-1)).toBe('CompactionFailed');
    expect(countOf(types, 'CompactionAttemptFailed')).toBe(3);
    expect(await contextOf(application)).toBe(before);
  });

  it('includes a time-out, even if the summarizer ignores its signal', async () => {
    const { application, id } = await requestedCompaction();
    const signals: AbortSignal[] = [];
    const timeout = jest
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation(() => AbortSignal.abort(new TooLong()));
    const summarizer = new ScriptedSummarizer(
      (_, signal) => {
        signals.push(signal);
        return new Promise(() => {});
      },
      (_, signal) => Promise.reject(signal.reason),
      () => {
        timeout.mockRestore();
        return new Promise(() => {});
      },
    );
    await application.runner('w1', summarizer).run(ref, id, 'cause', never());
    timeout.mockRestore();
    expect(signals[0]?.aborted).toBe(true);
    const failed = (await recordedEvents(application.log, ref)).filter(
      ({ type }) => type === 'CompactionAttemptFailed',
    );
    expect(failed.map(({ data }) => JSON.stringify(data))).toEqual([
      expect.stringContaining('TooLong'),
      expect.stringContaining('TooLong'),
      expect.stringContaining('TooLong'),
    ]);
  });

  it('excludes internal errors, which are thrown', async () => {
    const { application, id } = await requestedCompaction();
    const append = application.log.append.bind(application.log);
    jest.spyOn(application.log, 'append').mockImplementation(async (stream, expected, events, context) => {
      if (events.some(({ event }) => event.type === 'CompactionCompleted'))
        throw new InvariantViolation('ours');
      return append(stream, expected, events, context);
    });
    const run = application.runner('w1').run(ref, id, 'cause', never());
    await expect(run).rejects.toBeInstanceOf(InvariantViolation);
    expect(await typesAfterRequest(application)).toEqual(['CompactionStarted']);
  });
});
class TooLong extends Error {
  override readonly name = 'TooLong';
}
