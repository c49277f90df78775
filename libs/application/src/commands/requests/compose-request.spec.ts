import { createHash } from 'node:crypto';
import { AppendMessages, ComposeRequest, ResetSession, streamOf } from '@app/application';
import type { SessionEventType } from '@app/domain';
import { Actor, invariant, MessageId } from '@app/kernel';
import type { Summarizer } from '@app/ports';
import {
  type Application,
  call,
  caller,
  composing,
  filledSession,
  filler,
  fillTo,
  gate,
  openApplication,
  openMemoryLog,
  recordedEvents,
  requestCompaction,
  result,
  ScriptedSummarizer,
  say,
  sessionRef,
  textMessage,
  withWorker,
} from '@app/testing';

const ref = sessionRef();
const typesIn = async ({ log }: Application): Promise<SessionEventType[]> =>
  (await recordedEvents(log, ref)).map(({ type }) => type);
const countIn = async (application: Application, type: SessionEventType): Promise<number> =>
  (await typesIn(application)).filter((one) => one === type).length;
const failing = (): Summarizer =>
  new ScriptedSummarizer(() => {
    throw new Error('down');
  });

describe('an authorized session', () => {
  // Holds rule 4.5.
  it('warns, compacts, refuses, accepts an override for one turn, and resets on confirmation', async () => {
    const application = await filledSession(8_200);
    const warned = await composing(application);
    expect(warned).toMatchObject({
      outcome: 'composed',
      state: 'warning',
      banner: { state: 'warning', occupancy: 8_200, threshold: 8_000, window: 10_000 },
    });
    expect(await typesIn(application)).toEqual(expect.arrayContaining(['WarningThresholdReached']));
    expect(await countIn(application, 'CompactionRequested')).toBe(0); // Never without the user's word.

    const { compactionId } = await requestCompaction(application, ref);
    await withWorker(application, () => application.outcomes.outcomeOf(ref, compactionId));
    const applied = (await recordedEvents(application.log, ref)).find(
      (event) => event.type === 'CompactionApplied',
    );
    expect(applied).toMatchObject({ data: { warningCleared: true } });
    const compacted = await composing(application);
    expect(compacted).toMatchObject({ outcome: 'composed', state: 'normal', banner: null, epoch: 1 });
    invariant(compacted.outcome === 'composed', 'it is');
    expect(Math.round(compacted.occupancy / 100)).toBe(34);

    await fillTo(application, 9_600);
    const refusal = {
      outcome: 'refused',
      reason: 'compaction-required',
      state: 'critical',
      occupancy: 9_600,
      threshold: 9_500,
      remedies: [
        { remedy: 'compact', billedAfter: expect.any(Number) },
        { remedy: 'reset', billedAfter: expect.any(Number) },
        { remedy: 'override', billedAfter: expect.any(Number), maxOutput: expect.any(Number) },
        { remedy: 'shorten', billedAfter: expect.any(Number) },
        { remedy: 'use-larger-model', window: expect.any(Number) },
      ],
    };
    expect(await composing(application)).toMatchObject(refusal);
    expect((await typesIn(application)).slice(-3)).toEqual([
      'WarningThresholdReached',
      'CompactionRequired',
      'RequestRefused',
    ]);

    const override = { reason: 'the demonstration must end' };
    expect(await composing(application, { override })).toMatchObject({
      outcome: 'composed',
      banner: { state: 'critical', threshold: 9_500 },
    });
    const overridden = (await recordedEvents(application.log, ref)).filter(
      ({ type }) => type === 'CompactionOverridden',
    );
    expect(overridden).toMatchObject([
      { data: { turn: 19, ...override, occupancy: 9_600, threshold: 9_500 } },
    ]);

    await say(application, 'next', 'and now?', 'user');
    expect(await composing(application)).toMatchObject({ ...refusal, occupancy: 9_607, turn: 20 });

    const reset = (confirm: boolean) =>
      application.commands.execute(new ResetSession(ref, { reason: 'enough', confirm }, caller));
    await expect(reset(false)).rejects.toMatchObject({ code: 'confirmation-required' });
    await reset(true);
    expect(await composing(application)).toMatchObject({ outcome: 'composed', state: 'normal' });
  });

  // Holds rule 4.8.
  it('records the actor who authorized an override', async () => {
    const application = await filledSession(9_600);
    const by = { actor: Actor('the-user') };
    const options = { format: 'anthropic', override: { reason: 'it is nearly done' } } as const;
    await application.commands.execute(new ComposeRequest(ref, options, by));
    const actors: string[] = [];
    for await (const { event, context } of application.log.readForwards(streamOf(ref)))
      if (event.type === 'CompactionOverridden') actors.push(`${context.actor}: ${event.data.reason}`);
    expect(actors).toEqual(['the-user: it is nearly done']);
  });

  // Holds rule 4.10.
  it('can be overridden up to the window with a limited answer', async () => {
    const override = { reason: 'it must go on' };
    const blocking = await filledSession(9_900);
    const answer = await composing(blocking, { override });
    expect(answer).toMatchObject({ outcome: 'composed', state: 'blocking', maxOutput: 100 });
    const full = await filledSession(9_901);
    expect(await composing(full, { override })).toMatchObject({ outcome: 'refused', reason: 'blocking' });
    expect(await countIn(full, 'CompactionOverridden')).toBe(0);
  });
});

describe('an automatic session', () => {
  const automatic = { mode: 'automatic' };

  // Holds rule 4.4.
  it('continues at the warning threshold and queues a compaction', async () => {
    const application = await filledSession(8_200, automatic);
    expect(await composing(application)).toMatchObject({ outcome: 'composed', state: 'warning' });
    expect((await typesIn(application)).slice(-2)).toEqual(['CompactionRequested', 'RequestComposed']);
  });

  // Holds rules 4.6, 4.9.
  it.each([9_600, 9_900])('is compacted before the request at %d tokens', async (tokens) => {
    const application = await filledSession(tokens, automatic);
    const answer = await withWorker(application, () => composing(application));
    expect(answer).toMatchObject({ outcome: 'composed', state: 'normal', epoch: 1 });
    const types = await typesIn(application);
    expect(types).toContain('OccupancyFell');
    expect(types.filter((type) => type !== 'OccupancyFell').slice(-3)).toEqual([
      'CompactionCompleted',
      'CompactionApplied',
      'RequestComposed',
    ]);
  });

  it('is compacted again if many messages arrived during the run', async () => {
    const application = await filledSession(9_600, automatic);
    const { turn, open, arrived } = gate();
    const answering = withWorker(application, () => composing(application), new ScriptedSummarizer(turn));
    await arrived;
    await say(application, 'late', 'l'.repeat(4 * 6_000), 'user');
    open();
    expect(await answering).toMatchObject({ outcome: 'composed', epoch: 2 });
  });

  // Holds rule 4.9.
  it('refuses with the remedy to wait if no worker responds', async () => {
    const application = await filledSession(9_600, automatic, { waitTimeoutMs: 50 });
    expect(await composing(application)).toMatchObject({
      outcome: 'refused',
      reason: 'compaction-in-flight',
      remedies: [
        { remedy: 'wait' },
        { remedy: 'reset' },
        { remedy: 'override' },
        { remedy: 'use-larger-model' },
      ],
    });
  });

  it('accepts an override after a failed compaction', async () => {
    const application = await filledSession(9_600, automatic);
    const override = { reason: 'only one more answer' };
    const answer = await withWorker(application, () => composing(application, { override }), failing());
    expect(answer).toMatchObject({ outcome: 'composed', state: 'critical' });
  });
});

describe('ComposeRequest', () => {
  it('records the digest of the exact body and the revision it was composed at', async () => {
    const application = await filledSession(8_290);
    const { revision } = await application.sessions.load(ref);
    const answer = await composing(application, { format: 'openai-chat', withBody: true });
    invariant(answer.outcome === 'composed', 'it is');
    const { body = '' } = answer;
    expect(body).toBe(JSON.stringify(answer.request));
    expect(answer.digest).toBe(createHash('sha256').update(body).digest('hex'));
    expect(await composing(application, { format: 'openai-chat' })).not.toHaveProperty('body');
    expect(answer.revision).toBe((revision ?? 0) + 1); // The warning came before it.
    const recorded = (await recordedEvents(application.log, ref)).at(-1);
    const { outcome: _, banner: __, request: ___, body: ____, ...data } = answer;
    expect(recorded).toEqual({ type: 'RequestComposed', data });
  });

  it('records an unchanged request once', async () => {
    const application = await filledSession(8_200);
    const first = await composing(application);
    const events = (await typesIn(application)).length;
    expect(await composing(application)).toEqual(first);
    expect(await composing(openApplication(application))).toEqual(first); // By a process that reads it from the log.
    expect(await typesIn(application)).toHaveLength(events);
  });

  // Holds rule 2.11.
  it('names the stages that were applied to the body and records no other event for them', async () => {
    const view = {
      mode: 'authorized',
      stages: ['micro', 'summarize'],
      viewAtShare: 0.001,
      microKeepResults: 1,
      viewKeepShare: 0,
      keepRecentTurns: 1,
    };
    const application = await filledSession(7_900, view);
    const steps = [1, 2, 3].flatMap((n) => [
      { id: MessageId(`c${n}`), role: 'assistant' as const, blocks: [call(`call-${n}`)] },
      { id: MessageId(`r${n}`), role: 'user' as const, blocks: [result(`call-${n}`, filler(400))] },
    ]);
    const said = [...steps, textMessage('next', 'and now?')];
    await application.commands.execute(new AppendMessages(ref, said, caller));
    const answer = await composing(application);
    expect(answer).toMatchObject({ outcome: 'composed', stages: ['micro'] });
    const composed = (await recordedEvents(application.log, ref)).at(-1);
    expect(composed).toMatchObject({ type: 'RequestComposed', data: { stages: ['micro'] } });
  });

  // Holds rule 3.6.
  it('reports omitted reasoning with the reason', async () => {
    const application = await filledSession(8_200);
    const thought = { type: 'thinking', thinking: 'hm', signature: '' } as const;
    const message = { ...textMessage('thought', 'so it is', 'assistant') };
    const blocks = [thought, ...message.blocks];
    await application.commands.execute(new AppendMessages(ref, [{ ...message, blocks }], caller));
    expect(await composing(application)).toMatchObject({
      notes: [{ action: 'omitted-reasoning', reason: 'unsigned', count: 1 }],
    });
  });
});

it('records a repeated refusal once', async () => {
  const application = await filledSession(9_600);
  const first = await composing(application);
  expect(await composing(application)).toEqual(first);
  expect(await countIn(application, 'RequestRefused')).toBe(1);
});

it('rejects an unknown session', async () => {
  const application = openApplication(openMemoryLog());
  await expect(composing(application)).rejects.toMatchObject({ code: 'session-not-found' });
});
