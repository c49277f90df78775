import { type ModelCatalog, NO_MODELS, type Usage } from '@app/domain';
import { IsoTime, MessageId, NanoUsd, Tokens } from '@app/kernel';
import { type ModelRegistry, type Summarizer, SummarizerError } from '@app/ports';
import {
  caller,
  goodResult,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  recordedEvents,
  requestCompaction,
  ScriptedSummarizer,
  type SummarizerTurn,
  sessionRef,
  textMessage,
} from '@app/testing';
import { AppendMessages } from '../../../commands/append-messages.js';
import { ReportEdits } from '../../../commands/requests/report-edits.js';

const ref = sessionRef();
const evidence = { source: 'the test', asOf: '2026-11-21', confidence: 'high' } as const;
const of = (input: number, output: number) => ({ input: NanoUsd(input), output: NanoUsd(output) });
const catalog: ModelCatalog = {
  ...NO_MODELS,
  models: [
    {
      ...{ id: 'small-1', vendor: 'somebody', aliases: [], window: Tokens(100_000), lifecycle: 'active' },
      prices: [
        { rates: of(1, 10), longPrompt: { above: Tokens(100), rates: of(2, 20) }, evidence },
        { from: '2026-06-01', rates: of(3, 30), evidence },
      ],
      ...{ evidence, origin: 'shipped' },
    },
  ],
};
const models: ModelRegistry = { catalogFor: () => Promise.resolve(catalog) };
const now = { now: () => IsoTime('2026-05-31T00:00:00Z') };
const usage = (inputTokens: number, outputTokens: number): Usage => ({
  inputTokens: Tokens(inputTokens),
  outputTokens: Tokens(outputTokens),
  cacheReadTokens: Tokens(0),
  cacheWriteTokens: Tokens(0),
});
const rest = { pause: () => Promise.resolve(), ...now };

/** Runs a compaction with a summarizer of that model, and returns its recorded events. */
const compacted = async (model: string | undefined, ...turns: readonly SummarizerTurn[]) => {
  const memory = openMemoryLog();
  const application = openApplication({ ...memory, models, clock: now });
  await openSession(application, ref);
  await playTurns(application, ref, 0, 12);
  const { compactionId } = await requestCompaction(application, ref);
  const scripted = new ScriptedSummarizer(...turns);
  const summarizer: Summarizer = {
    identity: { name: 'prompted', promptVersion: '1', deterministic: false, ...(model && { model }) },
    summarize: (request, signal) => scripted.summarize(request, signal),
  };
  const runner = application.runner('w1', summarizer, rest);
  await runner.run(ref, compactionId, 'cause', new AbortController().signal);
  const events = await recordedEvents(application.log, ref);
  return {
    failed: events.flatMap((event) => (event.type === 'CompactionAttemptFailed' ? [event.data.cost] : [])),
    completed: events.find((event) => event.type === 'CompactionCompleted')?.data.cost,
  };
};

describe('the cost of a compaction', () => {
  it('includes every attempt, also failed ones', async () => {
    const { failed, completed } = await compacted(
      'small-1',
      () => {
        throw new SummarizerError('overloaded', { usage: usage(100, 1) });
      },
      () => ({ text: '', finish: 'stop', usage: usage(101, 1) }), // An empty summary, and a long prompt.
      () => ({ ...goodResult(), usage: usage(50, 5) }),
    );
    expect(failed.map((cost) => cost?.nanoUsd)).toEqual([110, 222]);
    expect(completed).toEqual({
      nanoUsd: 100,
      prices: [{ model: 'small-1', rates: of(1, 10), source: 'the test', asOf: '2026-11-21' }],
    });
  });

  it('is unknown with a reason for a model without a price', async () => {
    const { completed } = await compacted('nobody-1', () => ({ ...goodResult(), usage: usage(50, 5) }));
    expect(completed).toEqual({
      prices: [],
      unpriced: [{ model: 'nobody-1', reason: 'unknown-model', tokens: 55 }],
    });
  });

  it('is absent if nothing was billed', async () => {
    const { completed } = await compacted(undefined);
    expect(completed).toBeUndefined();
  });
});

describe('the cost of answers', () => {
  const answered = async (createdAt?: string) => {
    const application = openApplication({ ...openMemoryLog(), models, clock: now });
    await openSession(application, ref);
    const message = {
      ...textMessage('a1', 'done', 'assistant'),
      ...(createdAt && { createdAt: IsoTime(createdAt) }),
    };
    const billed = {
      usage: usage(10, 1),
      model: 'small-1',
      outcome: 'completed',
      source: 'reported',
      messageId: MessageId('a1'),
    } as const;
    await application.commands.execute(new AppendMessages(ref, [message], caller, billed));
    const events = await recordedEvents(application.log, ref);
    return events.find((event) => event.type === 'UsageReported')?.data.cost?.nanoUsd;
  };
  it('is computed when their usage is reported', async () => expect(await answered()).toBe(20));
  it('of a recording is computed at the prices of its date', async () =>
    expect(await answered('2026-07-01T00:00:00Z')).toBe(60));

  it('includes compactions by the provider', async () => {
    const application = openApplication({ ...openMemoryLog(), models, clock: now });
    await openSession(application, ref);
    const edits = {
      ...{ clearedToolUses: 0, clearedThinkingTurns: 0, clearedInputTokens: Tokens(0) },
      compaction: { usage: usage(7, 3) },
    };
    const { edited } = await application.commands.execute(new ReportEdits(ref, { edits }, caller));
    expect(edited?.compaction?.cost?.unpriced).toEqual([
      { model: expect.any(String), reason: 'unknown-model', tokens: 10 },
    ]);
  });
});
