import { extractiveSummarizer } from '@app/adapters/summarizer-extractive';
import type { ContextDiff, WhatIfView } from '@app/contract';
import { NO_MODELS, profileNamed } from '@app/domain';
import { AppError, IsoTime, MessageId, NanoUsd, PinId, Revision, Tokens } from '@app/kernel';
import type { ModelRegistry } from '@app/ports';
import {
  type Application,
  caller,
  noModels,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  recordedEvents,
  requestCompaction,
  requestedCompaction,
  sessionRef,
  textMessage,
} from '@app/testing';
import { AppendMessages } from '../../commands/append-messages.js';
import { RequestCompaction } from '../../commands/compactions.js';
import { ChangeSettings, ChangeSettingsHandler } from '../../commands/sessions/change-settings.js';
import { PinContent, PinContentHandler } from '../../commands/sessions/pin-content.js';
import { PlanCompaction, PlanCompactionHandler } from '../plan-compaction.js';
import { DiffContexts, DiffContextsHandler } from './diff-contexts.js';
import { explainProfile, listProfiles, WhatIf, WhatIfHandler } from './what-if.js';

const ref = sessionRef();
const never = new AbortController().signal;
const counter = { estimator: 'quarter', count: (text: string) => Math.ceil(text.length / 4) };

const evidence = { source: 'the test', asOf: '2026-11-21', confidence: 'high' } as const;
/** The model of the sessions has a price: 3 and 15 nano dollars a token. */
const models: ModelRegistry = {
  catalogFor: () =>
    Promise.resolve({
      ...NO_MODELS,
      models: [
        {
          ...{ id: 'unknown', vendor: 'other', aliases: [], window: Tokens(100_000), lifecycle: 'active' },
          prices: [{ rates: { input: NanoUsd(3), output: NanoUsd(15) }, evidence }],
          ...{ evidence, origin: 'shipped' },
        },
      ],
    }),
};
const clock = { now: () => IsoTime('2026-11-24T00:00:00Z') };
const whatIf = ({ sessions }: Application, ...profiles: string[]): Promise<WhatIfView> =>
  new WhatIfHandler({ sessions, facts: extractiveSummarizer(counter), counter, models, clock }).execute(
    new WhatIf(ref, profiles),
  );
const diff = ({ sessions }: Application, a: number, b: number, content = false): Promise<ContextDiff> =>
  new DiffContextsHandler({ sessions }).execute(
    new DiffContexts(ref, { a: Revision(a), b: Revision(b), content }),
  );

describe('profiles', () => {
  it('are listed with the default first', () => {
    expect(listProfiles()[0]).toMatchObject({ name: 'core', mode: 'automatic', stages: ['summarize'] });
  });

  it('describe every field with value and meaning', () => {
    for (const { name } of listProfiles()) {
      const fields = explainProfile(name);
      expect(Object.fromEntries(fields.map(({ field, value }) => [field, value]))).toEqual(
        profileNamed(name),
      );
      expect(fields.filter(({ description }) => description === '')).toEqual([]);
    }
  });

  it('name their differences from the default', () => {
    const changed = explainProfile('deterministic').filter(({ isDefault }) => !isDefault);
    expect(changed.map(({ field }) => field)).toContain('toolOutputs');
    expect(explainProfile('core').every(({ isDefault }) => isDefault)).toBe(true);
  });

  it('are rejected under an unknown name', () => {
    expect(() => explainProfile('nosuch')).toThrow(AppError);
  });
});

/**
 * Of twelve turns those that keep turns keep four, or two, a tail as many as leave room for two more below the trigger,
 * and the pivot its newest.
 */
const turnsUnder = (profile: string) => {
  const verbatim = { pivot: 1, staged: 2, tail: 8 }[profile] ?? 4;
  return { verbatim, summarized: 12 - verbatim, split: 0 };
};

describe('a what-if comparison', () => {
  it('plans every profile as a compaction would', async () => {
    const { application } = await requestedCompaction();
    const { outcomes } = await whatIf(application);
    expect(outcomes.map(({ profile }) => profile)).toEqual(listProfiles().map(({ name }) => name));
    for (const { profile, plan } of outcomes) {
      const query = new PlanCompaction(ref, profile);
      const { plan: planned } = await new PlanCompactionHandler(application).execute(query);
      if (planned === null) throw new Error('there is something to compact');
      expect({ profile, ...plan }).toMatchObject({
        profile,
        cut: planned.cut,
        covered: { messages: planned.covered.messages },
        countedAfterMax: planned.target,
        turns: turnsUnder(profile),
      });
    }
  });

  it('predicts the result of the compaction in a dry run', async () => {
    const { application, id } = await requestedCompaction();
    const { outcomes } = await whatIf(application, 'core');
    const [outcome] = outcomes;
    await application.runner('w1', extractiveSummarizer(counter)).run(ref, id, 'cause', never);
    const events = await recordedEvents(application.log, ref);
    const [completed] = events.flatMap((event) => (event.type === 'CompactionCompleted' ? [event.data] : []));
    const { score, keys, directives } = completed?.fidelity ?? {};
    // Its words are content, and are left to those who may read that.
    const { lost, ...counts } = directives ?? {};
    expect(lost).toEqual([]);
    expect(outcome?.plan && outcome.trial).toMatchObject({
      // The id of a compaction stands in the frame of its summary, and counts a few tokens.
      countedAfter: expect.any(Number),
      fidelity: { score, keys, directives: counts },
    });
    const tried = outcome?.plan && 'countedAfter' in outcome.trial ? outcome.trial.countedAfter : 0;
    expect(Math.abs(tried - (completed?.countedAfter ?? 0))).toBeLessThan(10);
  });

  it('prices the next request before and after, and a summary by the model of the session', async () => {
    const { application } = await requestedCompaction();
    const { tokens, requestNanoUsd, outcomes } = await whatIf(application, 'core');
    expect(requestNanoUsd).toBe(tokens * 3);
    const [{ plan, trial } = { plan: null, trial: undefined }] = outcomes.flatMap((one) =>
      one.plan === null ? [] : [one],
    );
    if (!trial || 'refused' in trial) throw new Error('the trial succeeds');
    expect(trial.requestNanoUsd).toBe(trial.billedAfter * 3);
    expect(trial.summaryNanoUsd).toBe(plan.covered.tokens * 3 + plan.countedSummaryLimit * 15);
  });

  it('records nothing and names a running compaction', async () => {
    const { application, id } = await requestedCompaction();
    const before = await recordedEvents(application.log, ref);
    expect(await whatIf(application, 'core')).toMatchObject({ inFlight: id, window: 10_000 });
    expect(await recordedEvents(application.log, ref)).toEqual(before);
  });

  it('works within a turn and while a compaction is deferred', async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref);
    await playTurns(application, ref, 0, 12);
    const question = textMessage('under-way', 'a question');
    await application.commands.execute(new AppendMessages(ref, [question], caller));
    const all = (await whatIf(application)).outcomes.map(({ profile, plan }) => [profile, plan !== null]);
    const later = { trigger: 'requested-mid-turn' } as const;
    expect(await application.commands.execute(new RequestCompaction(ref, later, caller))).toMatchObject({
      status: 'deferred',
    });
    const { outcomes } = await whatIf(application);
    expect(outcomes.map(({ profile, plan }) => [profile, plan !== null])).toEqual(all);
    expect(all).toContainEqual(['tail', true]);
  });

  it('gives the reason if there is no plan', async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref);
    await playTurns(application, ref, 0, 2);
    const { outcomes } = await whatIf(application, 'core');
    expect(outcomes).toEqual([
      {
        profile: 'core',
        isOwn: true,
        plan: null,
        reason: expect.objectContaining({ rule: 'nothing-to-drop' }),
      },
    ]);
  });

  it('starts with the changed policy of the session', async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref);
    await playTurns(application, ref, 0, 8);
    const change = { overrides: { keepRecentTurns: 2 } };
    await new ChangeSettingsHandler({ sessions: application.sessions, models: noModels, counter }).execute(
      new ChangeSettings(ref, change, caller),
    );
    const { outcomes } = await whatIf(application);
    expect(outcomes.map(({ profile, isOwn }) => [profile, isOwn]).slice(0, 2)).toEqual([
      ['core', true],
      ['core', false],
    ]);
    expect(outcomes[0]?.plan?.covered.messages).toBeGreaterThan(outcomes[1]?.plan?.covered.messages ?? 0);
  });

  it('rejects an unknown session or profile', async () => {
    const application = openApplication(openMemoryLog());
    await expect(whatIf(application, 'nosuch')).rejects.toMatchObject({ code: 'unknown-profile' });
    await expect(whatIf(application)).rejects.toMatchObject({ code: 'session-not-found' });
  });
});

describe('a diff of two contexts', () => {
  const compacted = async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref);
    await playTurns(application, ref, 0, 12);
    const before = (await recordedEvents(application.log, ref)).length - 1;
    const { compactionId } = await requestCompaction(application, ref);
    await application.runner('w1').run(ref, compactionId, 'cause', never);
    await playTurns(application, ref, 12, 13);
    const after = (await recordedEvents(application.log, ref)).length - 1;
    return { application, before, after, compactionId };
  };

  it('lists removed messages, added messages and the summary', async () => {
    const { application, before, after, compactionId } = await compacted();
    const { a, b, messages, summaryChanged } = await diff(application, before, after);
    expect(summaryChanged).toBe(true);
    expect([a.summary, b.summary]).toEqual([
      null,
      expect.objectContaining({ compactionId, kind: 'compaction' }),
    ]);
    expect(messages.onlyInA).toHaveLength(16);
    expect(messages.onlyInA[0]).toEqual({
      id: MessageId('q0'),
      revision: Revision(1),
      role: 'user',
      turn: 1,
      tokens: expect.any(Number),
    });
    expect(messages.onlyInB.map(({ id }) => id)).toEqual(['q12', 'a12']);
    expect(b.tokens).toBeLessThan(a.tokens);
  });

  it('is the inverse in the other direction', async () => {
    const { application, before, after } = await compacted();
    const there = await diff(application, before, after);
    const back = await diff(application, after, before);
    expect(back.messages).toEqual({
      onlyInA: there.messages.onlyInB,
      onlyInB: there.messages.onlyInA,
      changed: there.messages.changed.map(({ a, b, ...message }) => ({ ...message, a: b, b: a })),
    });
    expect([back.a, back.b]).toEqual([there.b, there.a]);
  });

  it('of a revision with itself is empty', async () => {
    const { application, after } = await compacted();
    const { a, b, messages, pins, droppedOutputs, summaryChanged } = await diff(application, after, after);
    expect(a).toEqual(b);
    const nothing = { onlyInA: [], onlyInB: [] };
    expect({ messages, pins, droppedOutputs, summaryChanged }).toEqual({
      messages: { ...nothing, changed: [] },
      pins: nothing,
      droppedOutputs: nothing,
      summaryChanged: false,
    });
  });

  it('contains content only on request', async () => {
    const { application, before, after } = await compacted();
    expect(JSON.stringify(await diff(application, before, after))).not.toMatch(/question|Finish everything/);
    const whole = JSON.stringify(await diff(application, before, after, true));
    expect(whole).toMatch(/question 0/);
    expect(whole).toMatch(/Finish everything/);
  });

  it('names a pin that replaces another one', async () => {
    const { application, after } = await compacted();
    const pins = new PinContentHandler({ sessions: application.sessions, counter });
    const pin = (text: string) =>
      pins.execute(new PinContent(ref, { pinId: PinId('rule'), kind: 'constraint', text }, caller));
    await pin('Never push.');
    await pin('Never push to main, whoever asks for it.');
    const { pins: changed } = await diff(application, after + 1, after + 2);
    expect([changed.onlyInA, changed.onlyInB].map(([one]) => one?.pinId)).toEqual(['rule', 'rule']);
    expect((await diff(application, after, after + 1)).pins).toEqual({
      onlyInA: [],
      onlyInB: [{ pinId: 'rule', kind: 'constraint', tokens: expect.any(Number) }],
    });
    expect(changed.onlyInB[0]?.tokens).toBeGreaterThan(changed.onlyInA[0]?.tokens ?? Tokens(0));
  });

  it('rejects a revision after the end of the session', async () => {
    const { application, after } = await compacted();
    await expect(diff(application, 0, after + 100)).rejects.toMatchObject({ code: 'revision-not-found' });
  });
});
