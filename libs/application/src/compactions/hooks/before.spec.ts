import type { CompactionHook } from '@app/ports';
import {
  type Application,
  caller,
  goodResult,
  notingHook as hook,
  playTurns,
  recordedEvents,
  requestedCompaction,
  ScriptedSummarizer,
  sessionRef,
  typesAfterRequest,
} from '@app/testing';
import { CheckBudget } from '../../commands/check-budget.js';

const ref = sessionRef();
const never = () => new AbortController().signal;
const SUMMARY = '## Goal\nWhat the hook says.\n\n## State\nUnder way.';

const summaryOf = async (application: Application): Promise<string | null | undefined> => {
  const { state } = await application.sessions.load(ref);
  return state.status === 'open' ? state.pivot?.summary : undefined;
};
const eventOf = async <Type extends string>({ log }: Application, type: Type) =>
  (await recordedEvents(log, ref)).filter((event) => event.type === type);
const APPLIED = ['CompactionStarted', 'CompactionCompleted', 'CompactionApplied'];

describe('a hook before a compaction', () => {
  // Holds rules 5.34, 6.2.
  it('receives the plan and lets the compaction continue', async () => {
    const { application, id } = await requestedCompaction();
    const { hook: mine, heard, plans, contents } = hook();
    await application.runner('w1', new ScriptedSummarizer(), mine).run(ref, id, 'cause', never());
    expect(await typesAfterRequest(application)).toEqual(APPLIED);
    expect(heard).toEqual(['before', 'after']);
    expect(plans[0]).toMatchObject({ compactionId: id, trigger: 'explicit', profile: 'core', turn: 12 });
    expect(plans[0]?.covered.slice(0, 2)).toEqual(['q0', 'a0']);
    expect(JSON.stringify(plans)).not.toContain('question 0');
    expect(JSON.stringify(contents)).toContain('question 0');
    const [started] = await eventOf(application, 'CompactionStarted');
    expect(started?.data).toMatchObject({ inputHash: plans[0]?.inputHash });
  });

  // Holds rule 5.23.
  it('cancels the compaction with its reason before it starts', async () => {
    const { application, id } = await requestedCompaction();
    const summarizer = new ScriptedSummarizer();
    const { hook: mine, heard } = hook('mine', {
      before: async () => ({ decision: 'cancel', reason: 'not during a demonstration' }),
    });
    expect(await application.runner('w1', summarizer, mine).run(ref, id, 'cause', never())).toBe('ended');
    expect(await typesAfterRequest(application)).toEqual(['CompactionCancelled']);
    const [cancelled] = await eventOf(application, 'CompactionCancelled');
    expect(cancelled?.data).toEqual({ compactionId: id, by: 'hook', reason: 'not during a demonstration' });
    expect(summarizer.requests).toHaveLength(0);
    expect(heard).toEqual(['before']);
  });

  it('is not called again in the turn that it cancelled, however full the session is', async () => {
    const { application, id } = await requestedCompaction();
    const { hook: mine } = hook('mine', { before: async () => ({ decision: 'cancel', reason: 'no' }) });
    await application.runner('w1', new ScriptedSummarizer(), mine).run(ref, id, 'cause', never());
    await playTurns(application, ref, 12, 24);
    const first = await application.commands.execute(new CheckBudget(ref, caller));
    expect(first.compactionId).toBeDefined();
    if (!first.compactionId) return;
    await application.runner('w1', new ScriptedSummarizer(), mine).run(ref, first.compactionId, 'c', never());
    expect((await application.commands.execute(new CheckBudget(ref, caller))).compactionId).toBeUndefined();
  });

  // Holds rule 5.24.
  it('supplies a summary that the record attributes to it, and no summarizer is called', async () => {
    const { application, id } = await requestedCompaction();
    const summarizer = new ScriptedSummarizer();
    const { hook: mine } = hook('mine', {
      before: async () => ({ decision: 'summary', summary: SUMMARY }),
    });
    await application.runner('w1', summarizer, mine).run(ref, id, 'cause', never());
    expect(await typesAfterRequest(application)).toEqual(APPLIED);
    expect(summarizer.requests).toHaveLength(0);
    expect(await summaryOf(application)).toBe(SUMMARY);
    const identity = { name: 'hook:mine', promptVersion: 'none', deterministic: false };
    for (const type of ['CompactionStarted', 'CompactionCompleted'])
      expect((await eventOf(application, type))[0]?.data).toMatchObject({ summarizer: identity });
  });

  // Holds rule 5.24.
  it('fails an attempt with an invalid summary, and the summarizer makes the next one', async () => {
    const { application, id } = await requestedCompaction();
    const summarizer = new ScriptedSummarizer();
    const { hook: mine, heard } = hook('mine', {
      before: async () => ({ decision: 'summary', summary: 'All is well.' }),
    });
    await application.runner('w1', summarizer, mine).run(ref, id, 'cause', never());
    const [failed] = await eventOf(application, 'CompactionAttemptFailed');
    expect(failed?.data).toMatchObject({ attempt: 1, error: { rule: 'sections' } });
    expect(await summaryOf(application)).toBe(goodResult().text);
    expect(heard).toEqual(['before', 'after']);
  });

  it('is called once per compaction, because the request fixes the covered messages', async () => {
    const { application, id } = await requestedCompaction();
    const { hook: mine, plans } = hook('mine', {
      before: async ({ covered }) => {
        await playTurns(application, ref, 12, 14);
        return { decision: 'summary', summary: `${SUMMARY}\n${covered.length} messages` };
      },
    });
    await application.runner('w1', new ScriptedSummarizer(), mine).run(ref, id, 'cause', never());
    expect(plans.map(({ covered }) => covered.length)).toEqual([16]);
    expect(await summaryOf(application)).toContain('16 messages');
  });

  it('runs in order until one decides', async () => {
    const { application, id } = await requestedCompaction();
    const [first, second, third] = [
      hook('first'),
      hook('second', { before: async () => ({ decision: 'summary', summary: SUMMARY }) }),
      hook('third', { before: async () => ({ decision: 'cancel', reason: 'too late' }) }),
    ];
    await application
      .runner('w1', new ScriptedSummarizer(), first.hook, second.hook, third.hook)
      .run(ref, id, 'cause', never());
    expect(first.heard).toEqual(['before', 'after']);
    expect(third.heard).toEqual(['after']);
    expect((await eventOf(application, 'CompactionCompleted'))[0]?.data).toMatchObject({
      summarizer: { name: 'hook:second' },
    });
  });

  const faults: readonly (readonly [what: string, does: Partial<CompactionHook>, error: string])[] = [
    ['throws', { before: () => Promise.reject(new RangeError('a secret of the session')) }, 'RangeError'],
    [
      'throws before there is a promise',
      {
        before: () => {
          throw new TypeError('a secret');
        },
      },
      'TypeError',
    ],
    ['never answers', { before: () => new Promise(() => {}), timeLimitMs: 1 }, 'TimeoutError'],
    ['answers nonsense', { before: async () => JSON.parse('{"decision":"maybe"}') }, 'UnusableHookAnswer'],
    ['hands in no text', { before: async () => JSON.parse('{"decision":"summary"}') }, 'UnusableHookAnswer'],
    ['gives no reason', { before: async () => JSON.parse('{"decision":"cancel"}') }, 'UnusableHookAnswer'],
  ];
  // Holds rule 5.27.
  it.each(faults)('that %s leaves the default path', async (_, does, error) => {
    const { application, id } = await requestedCompaction();
    const summarizer = new ScriptedSummarizer();
    const { hook: mine } = hook('mine', does);
    await application.runner('w1', summarizer, mine).run(ref, id, 'cause', never());
    expect(await typesAfterRequest(application)).toEqual(APPLIED);
    expect(summarizer.requests).toHaveLength(1);
    expect(application.hookProblems).toMatchObject([{ name: error }]);
  });

  // Holds rule 5.99.
  it.each(faults)('that %s fails the compaction where it fails closed', async (_, does, error) => {
    const { application, id } = await requestedCompaction();
    const summarizer = new ScriptedSummarizer();
    const { hook: mine, heard } = hook('mine', { ...does, onFailure: 'closed' });
    await application.runner('w1', summarizer, mine).run(ref, id, 'cause', never());
    expect(await typesAfterRequest(application)).toEqual(['CompactionFailed']);
    const [failed] = await eventOf(application, 'CompactionFailed');
    const reason = error === 'TimeoutError' ? 'no answer within 1 ms' : error;
    expect(failed?.data).toMatchObject({
      attempts: 0,
      error: { rule: 'hook-failed', detail: `hook mine fails closed: ${reason}` },
    });
    expect(summarizer.requests).toHaveLength(0);
    expect(heard).toContain('failed');
  });
});
