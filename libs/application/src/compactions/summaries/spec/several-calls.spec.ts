import type { Message } from '@app/domain';
import { MessageId, Tokens } from '@app/kernel';
import { SummarizerError, type SummaryRequest, type SummaryResult } from '@app/ports';
import {
  type Application,
  call,
  caller,
  goodResult,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  recordedEvents,
  requestCompaction,
  result,
  ScriptedSummarizer,
  sessionRef,
  textMessage,
} from '@app/testing';
import { AppendMessages } from '../../../commands/append-messages.js';

const ref = sessionRef();
const never = new AbortController().signal;
const USAGE = {
  inputTokens: Tokens(100),
  cacheReadTokens: Tokens(10),
  cacheWriteTokens: Tokens(1),
  outputTokens: Tokens(20),
};
const billed = (about: string): SummaryResult => ({ ...goodResult(about), usage: USAGE });

/** Two turns, and a third one of steps that alone exceeds the target: it is split. */
const splitSession = async (): Promise<Application> => {
  const application = openApplication(openMemoryLog());
  await openSession(application, ref);
  await playTurns(application, ref, 0, 2);
  await application.commands.execute(new AppendMessages(ref, [textMessage('big', 'the big one')], caller));
  for (let step = 0; step < 12; step += 1) {
    const messages: Message[] = [
      { id: MessageId(`c${step}`), role: 'assistant', blocks: [call(`t${step}`)] },
      { id: MessageId(`r${step}`), role: 'user', blocks: [result(`t${step}`, `step ${step} `.repeat(250))] },
    ];
    await application.commands.execute(new AppendMessages(ref, messages, caller));
  }
  return application;
};
const compacted = async (application: Application, summarizer: ScriptedSummarizer) => {
  const { compactionId } = await requestCompaction(application, ref);
  await application.runner('w1', summarizer).run(ref, compactionId, 'cause', never);
  const events = await recordedEvents(application.log, ref);
  return {
    completed: events.flatMap((event) => (event.type === 'CompactionCompleted' ? [event.data] : []))[0],
    failed: events.flatMap((event) => (event.type === 'CompactionAttemptFailed' ? [event.data] : [])),
  };
};
const idsIn = ({ messages }: SummaryRequest): readonly string[] => messages.map(({ id }) => id);

describe('a split turn', () => {
  // Holds rule 5.45.
  it('is summarized by two calls whose texts are joined and whose usage is added', async () => {
    const summarizer = new ScriptedSummarizer(
      () => billed('the history'),
      () => billed('the turn'),
    );
    const { completed } = await compacted(await splitSession(), summarizer);
    const [history, prefix] = summarizer.requests;
    expect(summarizer.requests).toHaveLength(2);
    expect(history && idsIn(history)).toEqual(['q0', 'a0', 'q1', 'a1']);
    expect(prefix && idsIn(prefix)[0]).toBe('c0');
    expect(prefix?.splitPrefix).toBe(prefix?.messages.length);
    expect(prefix?.retained[0]?.id).toBe('big');
    expect(completed?.summary).toBe(
      '## Goal\nFinish the history.\n\n## State\nUnder way.\n\n' +
        '## The turn under way\n\n### Goal\nFinish the turn.\n\n### State\nUnder way.',
    );
    expect(completed?.usage).toEqual({
      inputTokens: 200,
      cacheReadTokens: 20,
      cacheWriteTokens: 2,
      outputTokens: 40,
    });
  });

  it('shares the budget of one summary between both calls', async () => {
    const summarizer = new ScriptedSummarizer();
    const whole = new ScriptedSummarizer().limitedTo({ splitTurn: 'one-call' });
    await compacted(await splitSession(), summarizer);
    await compacted(await splitSession(), whole);
    const rooms = summarizer.requests.map(({ sizeMax }) => sizeMax);
    expect(Math.min(...rooms)).toBeGreaterThan(0);
    expect(rooms.reduce((sum, room) => sum + room, 0)).toBeLessThan(whole.requests[0]?.sizeMax ?? 0);
  });

  // Holds rule 5.45.
  it('is summarized concurrently, or sequentially if the summarizer requires it', async () => {
    const order: string[] = [];
    const turn = (name: string) => async () => {
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
      return goodResult(name);
    };
    await compacted(await splitSession(), new ScriptedSummarizer(turn('one'), turn('other')));
    expect(order.slice(0, 2)).toEqual(['one begins', 'other begins']);
    order.length = 0;
    const serial = new ScriptedSummarizer(turn('one'), turn('other')).limitedTo({ splitTurn: 'serial' });
    await compacted(await splitSession(), serial);
    expect(order.slice(0, 3)).toEqual(['one begins', 'one ends', 'other begins']);
  });

  it('is summarized by one call if the summarizer supports split turns', async () => {
    const summarizer = new ScriptedSummarizer().limitedTo({ splitTurn: 'one-call' });
    await compacted(await splitSession(), summarizer);
    expect(summarizer.requests).toHaveLength(1);
    expect(summarizer.requests[0]?.splitPrefix).toBeGreaterThan(0);
  });

  it('fails with the cost of both calls if one fails, and aborts the other', async () => {
    let other: AbortSignal | undefined;
    const summarizer = new ScriptedSummarizer(
      () => {
        throw new SummarizerError('refused', { status: 403, usage: USAGE });
      },
      (_, signal) => {
        other = signal;
        return new Promise(() => {});
      },
    );
    const { failed } = await compacted(await splitSession(), summarizer);
    expect(failed[0]).toMatchObject({ attempt: 1, error: { rule: 'refused' }, usage: USAGE });
    expect(other?.aborted).toBe(true);
  });

  it('is rejected by the rule that one of its parts breaks', async () => {
    const summarizer = new ScriptedSummarizer(
      () => billed('it'),
      () => ({ text: 'I cannot do that.', finish: 'stop', usage: USAGE }),
    );
    const { failed } = await compacted(await splitSession(), summarizer);
    expect(failed[0]).toMatchObject({ error: { rule: 'refusal' }, usage: { inputTokens: 200 } });
  });
});

describe('a history larger than the window of the summarizer', () => {
  const longSession = async (): Promise<Application> => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref);
    await playTurns(application, ref, 0, 16);
    return application;
  };
  const about = (name: string) => () => goodResult(name);

  // Holds rule 5.49.
  it('is summarized in parts from the oldest, each with the previous summary', async () => {
    const summarizer = new ScriptedSummarizer(about('one'), about('two'), about('three'));
    summarizer.limitedTo({ inputMax: 3_200 });
    const { completed } = await compacted(await longSession(), summarizer);
    const { requests } = summarizer;
    expect(requests.length).toBeGreaterThan(2);
    expect(requests.flatMap(idsIn)).toEqual(
      Array.from({ length: 12 }, (_, turn) => [`q${turn}`, `a${turn}`]).flat(),
    );
    expect(requests.map(({ previousSummary }) => previousSummary).slice(0, 3)).toEqual([
      undefined,
      goodResult('one').text,
      goodResult('two').text,
    ]);
    expect(requests.map(({ retained }) => retained.length > 0)).toEqual(
      requests.map((_, at) => at === requests.length - 1),
    );
    expect(completed?.covered?.messages).toBe(24);
  });

  // Holds rule 5.49.
  it('takes one call if it fits exactly', async () => {
    const summarizer = new ScriptedSummarizer().limitedTo({ inputMax: 1_000_000 });
    await compacted(await longSession(), summarizer);
    expect(summarizer.requests).toHaveLength(1);
  });

  // Holds rule 5.72.
  it('is split again if the summarizer reports an overflow', async () => {
    const overflow = (): never => {
      throw new Error('prompt is too long: 210000 tokens > 200000 maximum');
    };
    const summarizer = new ScriptedSummarizer(overflow, about('one'), about('two'));
    const { completed, failed } = await compacted(await longSession(), summarizer);
    const [whole, older, newer] = summarizer.requests;
    expect(failed).toEqual([]);
    expect(completed?.summary).toBe(goodResult('two').text);
    expect([...(older ? idsIn(older) : []), ...(newer ? idsIn(newer) : [])]).toEqual(whole && idsIn(whole));
    expect(newer?.previousSummary).toBe(goodResult('one').text);
  });

  // Holds rule 5.72.
  it('fails the attempt if a single group overflows', async () => {
    const overflow = (): never => {
      throw new SummarizerError('overflow', { status: 413 });
    };
    const summarizer = new ScriptedSummarizer(...Array.from({ length: 40 }, () => overflow));
    const { completed, failed } = await compacted(await longSession(), summarizer);
    expect(completed).toBeUndefined();
    expect(failed.map(({ error, retryAt }) => [error.rule, retryAt])).toEqual([
      ['overflow', undefined],
      ['overflow', undefined],
      ['overflow', undefined],
    ]);
  });

  it('truncates the texts of a group that is too large for any call at character boundaries', async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref, { window: 40_000 });
    await application.commands.execute(
      new AppendMessages(ref, [textMessage('huge', '👩‍👩‍👧'.repeat(6_000))], caller),
    );
    await playTurns(application, ref, 0, 8);
    const summarizer = new ScriptedSummarizer().limitedTo({ inputMax: 8_000 });
    await compacted(application, summarizer);
    const [block] = summarizer.requests[0]?.messages[0]?.blocks ?? [];
    const text = block?.type === 'text' ? String(block.text) : '';
    expect(text).toMatch(/^(?:👩‍👩‍👧)+\n\[… \d+ characters left out …\]\n(?:👩‍👩‍👧)+$/u);
    expect(text.length / 4).toBeLessThan(8_000);
  });
});
