import { type OpenSession, prepare } from '@app/domain';
import { canonicalJson } from '@app/kernel';
import { everyHistory, sessionsOf } from './support/histories.js';

const copyOf = (session: OpenSession): OpenSession => structuredClone(session);

/** Guarantee: the plan of a compaction depends on session and policy only, and planning changes neither. */
describe('preparation of a compaction', () => {
  // Holds rule 5.32.
  it('returns the same plan for the same session and policy, and changes neither', () =>
    everyHistory((history) => {
      for (const session of sessionsOf(history)) {
        const before = canonicalJson(session);
        const plan = canonicalJson(prepare(session));
        expect(canonicalJson(prepare(copyOf(session)))).toBe(plan);
        expect(canonicalJson(session)).toBe(before);
      }
    }, 60));
});
