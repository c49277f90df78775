import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { CompactionId, SessionId } from '@app/kernel';
import {
  gate,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  requestCompaction,
  requestedCompaction,
  ScriptedSummarizer,
  sessionRef,
} from '@app/testing';

const ref = sessionRef();
const never = () => new AbortController().signal;
const fail = (): never => {
  throw new Error('down');
};

describe('waiting for the outcome of a compaction', () => {
  it('returns an outcome recorded before, however long ago', async () => {
    const { application, id } = await requestedCompaction();
    await application.runner('w1').run(ref, id, 'cause', never());
    expect((await application.outcomes.outcomeOf(ref, id)).type).toBe('CompactionCompleted');
    await playTurns(application, ref, 12, 20);
    await requestCompaction(application, ref);
    expect((await application.outcomes.outcomeOf(ref, id)).data.compactionId).toBe(id);
  });

  it.each([0, 1, 2, 3, 5, 8, 13])(
    'receives an outcome recorded while it subscribes, %d turns later',
    async (turns) => {
      const { application, id } = await requestedCompaction();
      const there = openApplication(application);
      const { turn, open, arrived } = gate();
      const running = there.runner('w1', new ScriptedSummarizer(turn)).run(ref, id, 'cause', never());
      await arrived;
      const waiting = application.outcomes.outcomeOf(ref, id);
      for (let at = 0; at < turns; at += 1) await yieldToLoop();
      open();
      expect((await waiting).type).toBe('CompactionCompleted');
      await running;
    },
  );

  it('receives failures and skips', async () => {
    const { application, id } = await requestedCompaction();
    const waiting = application.outcomes.outcomeOf(ref, id);
    const down = new ScriptedSummarizer(fail, fail, fail);
    await openApplication(application).runner('w1', down).run(ref, id, 'cause', never());
    expect((await waiting).type).toBe('CompactionFailed');

    const other = sessionRef('other');
    await openSession(application, other);
    const { compactionId } = await requestCompaction(application, other);
    expect((await application.outcomes.outcomeOf(other, compactionId)).type).toBe('CompactionSkipped');
  });

  it('continues after a lost connection to the log', async () => {
    const memory = openMemoryLog();
    const { application, id } = await requestedCompaction(memory);
    const { turn, open, arrived } = gate();
    const running = openApplication(memory)
      .runner('w1', new ScriptedSummarizer(turn))
      .run(ref, id, 'cause', never());
    await arrived;
    const waiting = application.outcomes.outcomeOf(ref, id);
    for (let at = 0; at < 5; at += 1) await yieldToLoop();
    memory.loseConnections();
    open();
    await running;
    expect((await waiting).type).toBe('CompactionCompleted');
  });

  it('times out without a worker', async () => {
    const { application, id } = await requestedCompaction();
    await expect(application.outcomes.outcomeOf(ref, id, 20)).rejects.toMatchObject({
      code: 'compaction-timed-out',
    });
  });

  it('rejects an unknown compaction and an unknown session', async () => {
    const { application, id } = await requestedCompaction();
    const unknown = CompactionId('cmp_unknown');
    await expect(application.outcomes.outcomeOf(ref, unknown)).rejects.toMatchObject({
      code: 'compaction-not-found',
    });
    const absent = { ...ref, session: SessionId('absent') };
    await expect(application.outcomes.outcomeOf(absent, id)).rejects.toMatchObject({
      code: 'session-not-found',
    });
  });
});
