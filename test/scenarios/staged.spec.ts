import {
  AppendMessages,
  ChangeSettings,
  CheckBudget,
  CompleteTurn,
  ComposeRequest,
  OpenSession,
  ReportOverflow,
} from '@app/application';
import type { Message, SessionEvent } from '@app/domain';
import {
  type Application,
  assistant,
  call,
  caller,
  filler,
  openApplication,
  openMemoryLog,
  recordedEvents,
  result,
  ScriptedSummarizer,
  sessionRef,
  user,
  withWorker,
} from '@app/testing';

const ref = sessionRef();
/** The stages of the profile, with sizes for a window of 20,000 tokens. */
const SMALL = {
  maxResultTokens: 800,
  previewTokens: 60,
  snipKeepSteps: 20,
  microKeepResults: 4,
  viewAtShare: 0.3,
};

/** A turn of `steps` steps, each with a result of `tokens` tokens. */
const turn = (name: string, steps: number, tokens: number): Message[] => [
  user(`u-${name}`, `please do ${name}`),
  ...Array.from({ length: steps }, (_, at) => [
    assistant(`a-${name}-${at}`, call(`c-${name}-${at}`, 'bash')),
    user(`r-${name}-${at}`, result(`c-${name}-${at}`, filler(tokens * 4))),
  ]).flat(),
  assistant(`d-${name}`, `${name} is done`),
];

const staged = async (overrides = {}): Promise<Application> => {
  const application = openApplication(openMemoryLog());
  const input = {
    model: 'unknown',
    profile: 'staged',
    window: 20_000,
    systemPrompt: 'Be brief.',
    tools: [],
    labels: {},
  };
  await application.commands.execute(new OpenSession(ref, input, caller));
  await application.commands.execute(
    new ChangeSettings(ref, { overrides: { ...SMALL, ...overrides } }, caller),
  );
  return application;
};

const say = async ({ commands }: Application, ...messages: readonly Message[]): Promise<void> => {
  await commands.execute(new AppendMessages(ref, messages, caller));
  await commands.execute(new CompleteTurn(ref, 'end_turn', caller));
};
const composed = ({ commands }: Application) =>
  commands.execute(new ComposeRequest(ref, { format: 'anthropic', withBody: true }, caller));
const typesIn = async ({ log }: Application): Promise<SessionEvent['type'][]> =>
  (await recordedEvents(log, ref)).map(({ type }) => type);
const appendedIn = async ({ log }: Application): Promise<Message[]> =>
  (await recordedEvents(log, ref)).flatMap((event) =>
    event.type === 'MessageAppended' ? [event.data.message] : [],
  );
const failing = new ScriptedSummarizer(
  ...Array.from({ length: 9 }, () => () => ({ text: '', finish: 'stop' as const })),
);

/** Guarantee: the stages run in order, cheapest first, and stored messages never change. */
describe('session of the profile staged', () => {
  it('off-loads a large result, snips, clears, and only then summarizes', async () => {
    const application = await staged();
    const said = [turn('big', 1, 2_000), turn('one', 16, 300), turn('two', 16, 300), turn('three', 2, 300)];
    await say(application, ...said.flat());
    const first = await composed(application);
    expect(first).toMatchObject({ outcome: 'composed', stages: ['offload-results', 'snip', 'micro'] });
    expect(await typesIn(application)).toContain('ToolResultOffloaded');
    expect(await typesIn(application)).not.toContain('CompactionRequested');

    const report = (name: string): Message => assistant(`e-${name}`, filler(20_000));
    const more = ['four', 'five', 'six'].map((name) => [...turn(name, 11, 700), report(name)]);
    await say(application, ...more.flat());
    const answer = await withWorker(application, () => composed(application));
    expect(answer).toMatchObject({ outcome: 'composed', epoch: 1 });
    const types = await typesIn(application);
    const order = [
      'ToolResultOffloaded',
      'CompactionThresholdHit',
      'CompactionRequested',
      'CompactionCompleted',
    ];
    expect(types.filter((type) => order.includes(type)).slice(-3)).toEqual(order.slice(1));
    expect(await appendedIn(application)).toEqual([...said, ...more].flat());
  });

  it('shows the result of a call identically in every request', async () => {
    const application = await staged();
    await say(application, ...turn('big', 2, 2_000), ...turn('small', 1, 10));
    const shown = async (): Promise<string[]> => {
      const answer = await composed(application);
      const { body = '' } = answer.outcome === 'composed' ? answer : {};
      return [...body.matchAll(/"tool_use_id":"c-big-\d","content":"(?:[^"\\]|\\.)*"/g)].map(
        ([text]) => text,
      );
    };
    const before = await shown();
    expect(before).toHaveLength(2);
    await say(application, ...turn('more', 2, 100));
    expect(await shown()).toEqual(before);
  });

  it('collapses old turns if no summary arrives, and stops requesting after three failures', async () => {
    const application = await staged({
      maxAttempts: 1,
      stages: ['summarize', 'collapse'],
      keepRecentTurns: 1,
    });
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six']) {
      await say(application, ...turn(name, 9, 650));
      await withWorker(
        application,
        async () => {
          const { compactionId } = await application.commands.execute(new CheckBudget(ref, caller));
          if (compactionId) await application.outcomes.outcomeOf(ref, compactionId);
          await application.commands.execute(new CheckBudget(ref, caller));
        },
        failing,
      );
    }
    const types = await typesIn(application);
    expect(types).toContain('SegmentCollapsed');
    expect(types.filter((type) => type === 'CompactionFailed').length).toBeLessThanOrEqual(3);
    const answer = await composed(application);
    expect(answer).toMatchObject({ outcome: 'composed', stages: ['collapse'] });
  });

  it('compacts for an overflow that the local count did not predict', async () => {
    const application = await staged();
    await say(
      application,
      ...turn('one', 3, 300),
      ...turn('two', 3, 300),
      ...turn('three', 3, 300),
      ...turn('four', 1, 300),
    );
    const error = { message: 'prompt is too long: 210000 tokens > 200000 maximum' };
    const answer = await withWorker(application, () =>
      application.commands.execute(new ReportOverflow(ref, error, caller)),
    );
    expect(answer).toMatchObject({ outcome: 'compacted' });
  });
});
