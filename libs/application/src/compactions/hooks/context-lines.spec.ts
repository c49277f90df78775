import type { SessionEvent } from '@app/domain';
import type { HookDecision } from '@app/ports';
import {
  type Application,
  explainCompaction,
  gate,
  goodResult,
  notingHook,
  openApplication,
  recordedEvents,
  requestedCompaction,
  ScriptedSummarizer,
  sessionRef,
  typesAfterRequest,
} from '@app/testing';

const ref = sessionRef();
const never = () => new AbortController().signal;
const SUMMARY = '## Goal\nWhat the hook says.\n\n## State\nUnder way.';

const saying = (...context: readonly string[]) =>
  notingHook('mine', { before: async () => ({ decision: 'continue', context }) }).hook;
/** Possible answers of hooks in other languages, well-formed or not. */
const answering = (json: string) =>
  notingHook('mine', { before: async (): Promise<HookDecision> => JSON.parse(json) }).hook;

const starts = async ({ log }: Application) =>
  (await recordedEvents(log, ref)).flatMap((event: SessionEvent) =>
    event.type === 'CompactionStarted' ? [event.data] : [],
  );
/** Instructions of summarizers, attempt by attempt. */
const toldTo = (summarizer: ScriptedSummarizer) =>
  summarizer.requests.map(({ contextLines }) => contextLines);

/** A session that is compacted once; the first attempts come to nothing. */
const compacted = async ({ hooks, failing = 0 }: { hooks: readonly string[][]; failing?: number }) => {
  const { application, id } = await requestedCompaction();
  const nothing = () => ({ text: '', finish: 'stop' }) as const;
  const summarizer = new ScriptedSummarizer(...Array.from({ length: failing }, () => nothing));
  const asked = hooks.map((lines) => saying(...lines));
  await application.runner('w1', summarizer, ...asked).run(ref, id, 'cause', never());
  return { application, id, summarizer, started: await starts(application) };
};

describe('context lines of hooks', () => {
  // Holds rule 5.89.
  it('reach the summarizer in the order of the hooks and are recorded', async () => {
    const { summarizer, started } = await compacted({
      hooks: [['the API is frozen'], [], ['ask Ann', 'v2']],
    });
    expect(toldTo(summarizer)).toEqual([['the API is frozen', 'ask Ann', 'v2']]);
    expect(started).toMatchObject([{ contextLines: ['the API is frozen', 'ask Ann', 'v2'] }]);
  });

  it('are counted in the explanation and not shown', async () => {
    const { application, id } = await compacted({ hooks: [['the API is frozen', 'ask Ann']] });
    const explanation = await explainCompaction(application, id);
    expect(explanation.attempts).toMatchObject([{ contextLines: 2 }]);
    expect(JSON.stringify(explanation)).not.toContain('frozen');
  });

  it('are part of the hashed input', async () => {
    const hashOf = async (...lines: string[]) => (await compacted({ hooks: [lines] })).started[0]?.inputHash;
    const { hook, plans } = notingHook();
    const { application, id } = await requestedCompaction();
    await application.runner('w1', new ScriptedSummarizer(), hook).run(ref, id, 'cause', never());
    expect(await hashOf()).toBe(plans[0]?.inputHash);
    expect(new Set([await hashOf(), await hashOf('one'), await hashOf('two')]).size).toBe(3);
    expect(await hashOf('one')).toBe(await hashOf('one'));
  });

  it('are not recorded if there are none', async () => {
    const { summarizer, started } = await compacted({ hooks: [[]] });
    expect(started[0]).not.toHaveProperty('contextLines');
    expect(summarizer.requests[0]).not.toHaveProperty('contextLines');
  });

  // Holds rule 5.89.
  it('are reused by the next attempt of the same worker', async () => {
    const { summarizer, started } = await compacted({ hooks: [['the API is frozen']], failing: 1 });
    expect(toldTo(summarizer)).toEqual([['the API is frozen'], ['the API is frozen']]);
    expect(started.map(({ attempt, contextLines }) => [attempt, contextLines])).toEqual([
      [1, ['the API is frozen']],
      [2, ['the API is frozen']],
    ]);
  });

  it.each<[string, string[], string[] | undefined]>([
    ['other ones', ['ask Bob'], ['ask Bob']],
    ['none', [], undefined],
  ])('are requested again by a worker that takes over: %s', async (_, lines, told) => {
    const { application, id } = await requestedCompaction();
    const { turn, open, arrived } = gate();
    const slow = new ScriptedSummarizer(turn);
    const first = application.runner('w1', slow, saying('ask Ann')).run(ref, id, 'cause', never());
    await arrived;
    const quick = new ScriptedSummarizer();
    const other = openApplication(application);
    await other.runner('w2', quick, saying(...lines)).run(ref, id, 'cause', never());
    open();
    await first;
    expect(toldTo(quick)).toEqual([told]);
    expect((await starts(application)).map(({ contextLines }) => contextLines)).toEqual([['ask Ann'], told]);
  });

  it('have no effect if another hook supplies a summary or cancels', async () => {
    const given = async (decision: HookDecision) => {
      const { application, id } = await requestedCompaction();
      const { hook } = notingHook('other', { before: async () => decision });
      const runner = application.runner('w1', new ScriptedSummarizer(), saying('ask Ann'), hook);
      await runner.run(ref, id, 'cause', never());
      return application;
    };
    const [started] = await starts(await given({ decision: 'summary', summary: SUMMARY }));
    expect(started).toMatchObject({ summarizer: { name: 'hook:other' } });
    expect(started).not.toHaveProperty('contextLines');
    expect(await typesAfterRequest(await given({ decision: 'cancel', reason: 'no' }))).toEqual([
      'CompactionCancelled',
    ]);
  });

  it('count towards the window of the summarizer and accompany every part', async () => {
    const callsWith = async (...lines: string[]) => {
      const { application, id } = await requestedCompaction();
      const summarizer = new ScriptedSummarizer().limitedTo({ inputMax: 6_000 });
      await application.runner('w1', summarizer, saying(...lines)).run(ref, id, 'cause', never());
      return toldTo(summarizer);
    };
    const lines = Array.from({ length: 20 }, () => 'a word '.repeat(120));
    expect(await callsWith('a word')).toEqual([['a word']]);
    const parts = await callsWith(...lines);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts).toEqual(parts.map(() => lines));
  });

  it('may reach their limits of number and length', async () => {
    const lines = Array.from({ length: 20 }, () => 'x'.repeat(1_000));
    const { summarizer, application } = await compacted({ hooks: [lines.slice(0, 12), lines.slice(12)] });
    expect(toldTo(summarizer)).toEqual([lines]);
    expect(application.hookProblems).toEqual([]);
  });

  it('beyond the limit are dropped with their hook; lines of other hooks stay', async () => {
    const many = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const { summarizer, application } = await compacted({ hooks: [['first'], many, ['last']] });
    expect(toldTo(summarizer)).toEqual([['first', 'last']]);
    expect(application.hookProblems).toMatchObject([{ name: 'UnusableHookAnswer' }]);
  });

  it.each([
    ['no list', '"one"'],
    ['no strings', '[1]'],
    ['nothing', 'null'],
    ['more than one line each', '["one\\ntwo"]'],
    ['lines by another name', '["one\\u2028two"]'],
    ['no Unicode', '["\\ud800"]'],
    ['too long', JSON.stringify(['x'.repeat(1_001)])],
  ])('that are %s leave the default path', async (_, context) => {
    const { application, id } = await requestedCompaction();
    const summarizer = new ScriptedSummarizer();
    const hook = answering(`{"decision":"continue","context":${context}}`);
    await application.runner('w1', summarizer, hook).run(ref, id, 'cause', never());
    expect(toldTo(summarizer)).toEqual([undefined]);
    expect(application.hookProblems).toMatchObject([{ name: 'UnusableHookAnswer' }]);
    const { state } = await application.sessions.load(ref);
    expect(state.status === 'open' && state.pivot?.summary).toBe(goodResult().text);
  });
});
