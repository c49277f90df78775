import type { Provenance } from '@app/contract';
import { type CompactionId, MessageId, PinId } from '@app/kernel';
import {
  type Application,
  call,
  caller,
  compactNow,
  explainCompaction,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  result,
  sessionRef,
} from '@app/testing';
import { AppendMessages } from '../../commands/append-messages.js';
import { RevertCompaction, RevertCompactionHandler } from '../../commands/compactions.js';
import { CompleteTurn } from '../../commands/complete-turn.js';
import { ForkSession, ForkSessionHandler } from '../../commands/sessions/fork-session.js';
import { PinContent, PinContentHandler } from '../../commands/sessions/pin-content.js';
import { ResetSession, ResetSessionHandler } from '../../commands/sessions/reset-session.js';
import { TraceMessage, TraceMessageHandler } from './trace-message.js';

const ref = sessionRef();

const trace = ({ sessions, log }: Application, message: string, of = ref): Promise<Provenance> =>
  new TraceMessageHandler({ sessions, log }).execute(new TraceMessage(of, MessageId(message)));
const begun = async (turns = 12, profile = 'core', window = 10_000): Promise<Application> => {
  const application = openApplication(openMemoryLog());
  await openSession(application, ref, { profile, window });
  await playTurns(application, ref, 0, turns);
  return application;
};
const revert = ({ sessions }: Application) =>
  new RevertCompactionHandler({ sessions }).execute(new RevertCompaction(ref, { reason: 'anew' }, caller));
const reset = ({ sessions }: Application) =>
  new ResetSessionHandler({ sessions }).execute(
    new ResetSession(ref, { confirm: true, reason: 'anew' }, caller),
  );

describe('provenance of a message', () => {
  it('is the context before any compaction', async () => {
    expect(await trace(await begun(), 'q0')).toMatchObject({
      status: 'in-full',
      reason: 'not-compacted',
      appendedAt: 1,
      turn: 1,
      rule: 'verbatim',
      outputs: [],
      stages: [],
    });
  });

  it('is the compaction that covers it, with those that include its summary', async () => {
    const application = await begun();
    const first = await compactNow(application);
    await playTurns(application, ref, 12, 20);
    const second = await compactNow(application);
    const { status, ...rest } = await trace(application, 'a3');
    expect(status).toBe('covered');
    expect(rest).toMatchObject({
      chain: [
        { compactionId: first, action: 'covered', isInForce: false, covered: { from: 'q0', to: 'a7' } },
        { compactionId: second, action: 'folded', isInForce: true },
      ],
    });
    expect(await trace(application, 'q9')).toMatchObject({
      chain: [{ compactionId: second, action: 'covered', isInForce: true }],
    });
    expect(await trace(application, 'q19')).toMatchObject({ status: 'in-full', reason: 'after-the-cut' });
  });

  it('is the full context again after a revert', async () => {
    const application = await begun();
    await compactNow(application);
    expect((await trace(application, 'q0')).status).toBe('covered');
    await revert(application);
    expect(await trace(application, 'q0')).toMatchObject({ status: 'in-full', reason: 'not-compacted' });
  });

  // Holds rule 7.9.
  it('is the reset that removed it, except for the current input', async () => {
    const application = await begun();
    const first = await compactNow(application);
    const cleared = await reset(application);
    expect(await trace(application, 'q0')).toMatchObject({
      status: 'cleared',
      chain: [
        { compactionId: first, action: 'covered', isInForce: false },
        { compactionId: cleared.reset && cleared.compactionId, action: 'cleared', isInForce: true },
      ],
    });
    expect(await trace(application, 'a10')).toMatchObject({
      status: 'cleared',
      chain: [{ action: 'cleared' }],
    });
    expect(await trace(application, 'q11')).toMatchObject({ status: 'in-full', reason: 'carried' });
  });

  it('stays the reset after later compactions', async () => {
    const application = await begun();
    await reset(application);
    await playTurns(application, ref, 12, 24);
    await compactNow(application);
    expect(await trace(application, 'q0')).toMatchObject({
      status: 'cleared',
      chain: [{ action: 'cleared' }],
    });
    expect(await trace(application, 'q11')).toMatchObject({
      status: 'covered',
      chain: [{ action: 'covered' }],
    });
  });
});

describe('provenance of other IDs', () => {
  it('names a pin', async () => {
    const application = await begun(1);
    const counter = { estimator: 'quarter', count: (text: string) => Math.ceil(text.length / 4) };
    const pin = { pinId: PinId('rule'), kind: 'constraint', text: 'Never push.' } as const;
    await new PinContentHandler({ sessions: application.sessions, counter }).execute(
      new PinContent(ref, pin, caller),
    );
    expect(await trace(application, 'rule')).toMatchObject({ status: 'pinned', kind: 'constraint' });
  });

  it('rejects an unknown message and names the session that this one was forked from', async () => {
    const application = await begun();
    await compactNow(application);
    const as = sessionRef('forked');
    const handler = new ForkSessionHandler(application);
    await handler.execute(new ForkSession(ref, { as: as.session }, caller));
    expect(await trace(application, 'nosuch')).toMatchObject({ status: 'unknown', forkedFrom: null });
    expect(await trace(application, 'q0', as)).toMatchObject({
      status: 'unknown',
      forkedFrom: { sessionId: 'some' },
    });
    expect(await trace(application, 'q11', as)).toMatchObject({
      status: 'in-full',
      reason: 'after-the-cut',
    });
  });

  it('rejects an unknown session', async () => {
    await expect(trace(await begun(1), 'q0', sessionRef('none'))).rejects.toMatchObject({
      code: 'session-not-found',
    });
  });
});

describe('provenance and compactions', () => {
  // Holds rule 2.21.
  it('agree: a message is behind the compaction that names it and no other', async () => {
    const application = await begun();
    const compactions = [await compactNow(application)];
    await playTurns(application, ref, 12, 20);
    await compactNow(application);
    await revert(application); // Covers nothing any more.
    await playTurns(application, ref, 20, 26);
    compactions.push(await compactNow(application));
    await playTurns(application, ref, 26, 34);
    compactions.push(await compactNow(application));

    const coveredBy = new Map<string, CompactionId>();
    for (const compactionId of compactions) {
      const ids = (await explainCompaction(application, compactionId)).covered?.ids ?? [];
      expect(ids.length).toBeGreaterThan(0);
      for (const id of ids) coveredBy.set(id, compactionId);
    }
    for (let turn = 0; turn < 34; turn += 1)
      for (const id of [`q${turn}`, `a${turn}`]) {
        const place = await trace(application, id);
        const first = place.status === 'covered' ? place.chain[0]?.compactionId : undefined;
        expect([id, first]).toEqual([id, coveredBy.get(id)]);
        if (place.status === 'covered') expect(place.chain.at(-1)?.isInForce).toBe(true);
        else expect(place.status).toBe('in-full');
      }
  });
});

describe('a message with dropped tool outputs', () => {
  const readsMuch = async (application: Application): Promise<void> => {
    const messages = [
      { id: MessageId('ask'), role: 'user', blocks: [{ type: 'text', text: 'Read it.' }] },
      { id: MessageId('calls'), role: 'assistant', blocks: [call('c1')] },
      { id: MessageId('answers'), role: 'user', blocks: [result('c1', 'found '.repeat(4_000))] },
      { id: MessageId('done'), role: 'assistant', blocks: [{ type: 'text', text: 'Done.' }] },
    ] as const;
    await application.commands.execute(new AppendMessages(ref, messages, caller));
    await application.commands.execute(new CompleteTurn(ref, 'end_turn', caller));
  };

  it('is partly in the context and names the compaction that dropped them', async () => {
    const application = await begun(0, 'deterministic');
    await readsMuch(application);
    await playTurns(application, ref, 1, 6);
    const droppedBy = await compactNow(application);
    for (const message of ['calls', 'answers'])
      expect(await trace(application, message)).toMatchObject({
        status: 'in-part',
        outputs: [{ callId: 'c1', rule: 'dropped', droppedBy }],
        stages: ['drop-tool-outputs'],
      });
    expect(await trace(application, 'ask')).toMatchObject({ status: 'in-full', outputs: [] });
    expect(await explainCompaction(application, droppedBy)).toMatchObject({
      plan: {
        stages: ['drop-tool-outputs'],
        countedSummaryLimit: null,
        protectedTurns: { wanted: 4, kept: 4 },
      },
      covered: null,
      droppedOutputs: [{ messageId: 'calls', callId: 'c1' }],
      verified: { summaryTokens: 0, fidelity: null },
    });
  });

  it('is covered by the summary as before', async () => {
    const application = await begun(8, 'deterministic');
    const first = await compactNow(application);
    await readsMuch(application);
    await playTurns(application, ref, 8, 12);
    const second = await compactNow(application);
    expect(await trace(application, 'q0')).toMatchObject({
      status: 'covered',
      chain: [
        { compactionId: first, action: 'covered', isInForce: false },
        { compactionId: second, action: 'carried-on', isInForce: true },
      ],
    });
    expect(await explainCompaction(application, second)).toMatchObject({ previous: first, covered: null });
  });
});
