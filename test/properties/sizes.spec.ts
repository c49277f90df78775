import { countedTarget, estimatedTokens, freeingsOf } from '@app/domain';
import { everyCompaction } from './support/histories.js';

/** Guarantee: a compaction makes a session fit, or its event states why not. */
describe('completed compaction', () => {
  it('records the session’s resulting size', () =>
    everyCompaction(({ completed, before, after }) => {
      expect(completed.countedBefore).toBe(estimatedTokens(before));
      expect(completed.countedAfter).toBe(estimatedTokens(after));
    }));

  it('counts exactly the retained messages', () =>
    everyCompaction(({ after }) => {
      const freed = freeingsOf(after).reduce((sum, one) => sum + one.freed, 0);
      const kept = after.entries.reduce((sum, entry) => sum + entry.tokens, 0);
      expect(after.entriesTokens).toBe(kept - freed);
    }));

  // Holds rules 5.62, 8.6.
  it('fits the target of its policy, or states the reachable one', () =>
    everyCompaction(({ started, completed, atStart, before }) => {
      // A stage may have omitted something meanwhile.
      const since = Math.max(0, completed.countedBefore - started.countedBefore);
      expect(completed.countedAfter).toBeLessThanOrEqual(completed.target + since);
      const policy = countedTarget(before, before.compaction?.profile ?? before.profile);
      // After a change of window or calibration the start had another target.
      const isSame = before.limits === atStart.limits && before.calibrations === atStart.calibrations;
      if (policy === undefined || !isSame) return;
      if (completed.targetRaised) expect(completed.targetRaised.from).toBe(policy);
      else expect(completed.target).toBeLessThanOrEqual(policy);
    }));

  // Holds rule 5.61.
  it('saves at least a tenth of the size at its start', () =>
    everyCompaction(({ started, completed }) => {
      const since = Math.max(0, completed.countedBefore - started.countedBefore);
      expect(completed.countedAfter).toBeLessThanOrEqual(0.9 * started.countedBefore + since);
    }));

  // Holds rules 2.6, 3.10.
  it('states for each turn of the context which rule applied', () =>
    everyCompaction(({ completed, before, after }) => {
      const kept = new Set(after.entries.map(({ message }) => message.id));
      const turns = [...new Set(before.entries.map(({ turn }) => turn))];
      expect(completed.retention.map(({ turn }) => turn)).toEqual(turns);
      for (const { turn, rule } of completed.retention) {
        const fates = before.entries
          .filter((entry) => entry.turn === turn)
          .map(({ message }) => kept.has(message.id));
        expect(rule).toBe(fates.every(Boolean) ? 'verbatim' : fates.some(Boolean) ? 'split' : 'summarized');
      }
    }));
});
