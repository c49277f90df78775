import { play, scripts } from '@app/testing';
import fc from 'fast-check';

it('stats', () => {
  const t0 = Date.now();
  const counts: Record<string, number> = {};
  let errs = 0,
    events = 0;
  let firstErr = '';
  const multi: Record<string, number> = {};
  for (const s of fc.sample(scripts(), { numRuns: 1000, seed: 1 })) {
    try {
      const r = play(s);
      events += r.stream.length;
      let c = 0;
      for (const { event } of r.stream) {
        if (event.type === 'CompactionCompleted') {
          c++;
          if (event.data.splitTurn) counts.SPLIT = (counts.SPLIT ?? 0) + 1;
          if (event.data.droppedOutputs.length) counts.DROPS = (counts.DROPS ?? 0) + 1;
          if (event.data.targetRaised) counts.RAISED = (counts.RAISED ?? 0) + 1;
          if (event.data.opening.carried) counts.CARRIED = (counts.CARRIED ?? 0) + 1;
        }
        const k =
          event.type === 'CompactionSkipped'
            ? `Skipped:${event.data.reason.rule}`
            : event.type === 'CompactionAttemptFailed'
              ? `AF:${event.data.error.rule}`
              : event.type;
        counts[k] = (counts[k] ?? 0) + 1;
      }
      multi[c] = (multi[c] ?? 0) + 1;
    } catch (e) {
      errs++;
      firstErr ||= String((e as Error).stack) + JSON.stringify(s).slice(0, 3000);
    }
  }
  process.stderr.write(
    JSON.stringify({ ms: Date.now() - t0, events, errs, counts, multi }, null, 1) + firstErr,
  );
});
