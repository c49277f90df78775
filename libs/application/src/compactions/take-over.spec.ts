import { setImmediate as yieldToLoop } from 'node:timers/promises';
import {
  gate,
  openApplication,
  recordedEvents,
  requestedCompaction,
  ScriptedSummarizer,
  sessionRef,
  typesAfterRequest,
} from '@app/testing';

const ref = sessionRef();
const never = () => new AbortController().signal;

describe('a stopped worker', () => {
  it('records no failure, and the next worker takes over', async () => {
    const { application, id } = await requestedCompaction();
    const stop = new AbortController();
    const waiting = new ScriptedSummarizer(() => new Promise(() => {}));
    const running = application.runner('w1', waiting).run(ref, id, 'cause', stop.signal);
    while (waiting.requests.length === 0) await yieldToLoop();
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    expect(await typesAfterRequest(application)).toEqual(['CompactionStarted']);

    expect(await application.runner('w2').run(ref, id, 'cause', never())).toBe('ended');
    const events = await recordedEvents(application.log, ref);
    const started = events.flatMap((event) => (event.type === 'CompactionStarted' ? [event.data] : []));
    expect(started.map(({ compactionId, attempt, worker }) => [compactionId, attempt, worker])).toEqual([
      [id, 1, 'w1'],
      [id, 2, 'w2'],
    ]);
    expect(events.at(-1)?.type).toBe('CompactionApplied');
  });

  it('does not start a compaction', async () => {
    const { application, id } = await requestedCompaction();
    const run = application.runner('w1').run(ref, id, 'cause', AbortSignal.abort(new Error('stopped')));
    await expect(run).rejects.toThrow('stopped');
    expect(await typesAfterRequest(application)).toEqual([]);
  });
});

describe('two workers on one compaction', () => {
  // Holds rule 5.17.
  it('apply one result; the late one is recorded with its cost', async () => {
    const { application, id } = await requestedCompaction();
    const there = openApplication(application);
    const [slow, quick] = [gate(), gate()];
    const first = application.runner('w1', new ScriptedSummarizer(slow.turn)).run(ref, id, 'cause', never());
    await slow.arrived;
    const second = there.runner('w2', new ScriptedSummarizer(quick.turn)).run(ref, id, 'cause', never());
    await quick.arrived;
    slow.open();
    expect(await first).toBe('taken-over');
    quick.open();
    expect(await second).toBe('ended');
    expect(await typesAfterRequest(application)).toEqual([
      'CompactionStarted',
      'CompactionAttemptFailed',
      'CompactionStarted',
      'CompactionDuplicated',
      'CompactionCompleted',
      'CompactionApplied',
    ]);
  });

  it('stop when the other one has finished', async () => {
    const { application, id } = await requestedCompaction();
    const there = openApplication(application);
    const slow = gate();
    const first = application.runner('w1', new ScriptedSummarizer(slow.turn)).run(ref, id, 'cause', never());
    await slow.arrived;
    expect(await there.runner('w2').run(ref, id, 'cause', never())).toBe('ended');
    slow.open();
    expect(await first).toBe('ended');
    const types = await typesAfterRequest(application);
    expect(types.at(-1)).toBe('CompactionDuplicated');
    expect(types.filter((type) => type === 'CompactionApplied')).toHaveLength(1);
  });
});
