import { fidelityOf } from '@app/domain';
import { assistant, call, result, user } from '@app/testing';
import fc from 'fast-check';

const covered = [
  user('u1', 'You must never push to the main branch without a review of mine.'),
  assistant('a1', 'I will read it.', call('t1', 'read_file', { path: 'src/orders/total-price.ts' })),
  user('u2', result('t1', 'TypeError: priceOf is not a function at line 4711')),
];

describe('the fidelity of a compaction', () => {
  // Holds rule 5.64.
  it('is 1 if all messages are retained', () =>
    expect(fidelityOf(covered, '', covered)).toMatchObject({ score: 1, missing: [] }));

  // Holds rule 5.65.
  it('is 0 if nothing is retained, and lists each loss with the last message that had it', () => {
    const { score, missing, keys } = fidelityOf(covered, '', []);
    expect(score).toBe(0);
    expect(missing).toHaveLength(keys);
    expect(missing).toContainEqual({ key: 'src/orders/total-price.ts', messageId: 'a1' });
    expect(missing).toContainEqual({ key: 'TypeError', messageId: 'u2' });
  });

  // Holds rule 5.64.
  it('counts facts that the summary names', () => {
    const { score, missing } = fidelityOf(covered, 'TypeError in src/orders/total-price.ts', []);
    expect(score).toBeGreaterThan(0.4);
    expect(missing.map(({ key }) => key)).not.toContain('TypeError');
  });

  // Holds rule 5.64.
  it('counts user demands by their words, anywhere in the summary', () => {
    expect(fidelityOf(covered, 'nothing of the kind', []).directives).toMatchObject({ kept: 0, of: 1 });
    const quoted = '> "You must never push to the main branch without a review of mine." [u1]';
    expect(fidelityOf(covered, quoted, []).directives).toEqual({ kept: 1, of: 1, missing: [], lost: [] });
  });

  it('counts no demand in the text of a tool result', () =>
    expect(
      fidelityOf([user('u1', result('t1', 'You must never do this or that to anything.'))], '', []).directives
        .of,
    ).toBe(0));

  it('is 1 for content without facts', () =>
    expect(fidelityOf([user('u1', 'so and so')], '', [])).toMatchObject({ score: 1, keys: 0 }));

  it('is the share of kept facts, and lists the messages of lost demands', () => {
    const { kinds, missingKeys, directives } = fidelityOf(covered, 'TypeError', []);
    expect(kinds).toMatchObject({
      errors: { kept: 1, of: 1 },
      paths: { kept: 0, of: 1 },
      numbers: { kept: 0, of: 1 },
    });
    expect(missingKeys).toBe(kinds && Object.values(kinds).reduce((sum, { kept, of }) => sum + of - kept, 0));
    expect(directives).toEqual({
      kept: 0,
      of: 1,
      missing: ['u1'],
      lost: [
        { messageId: 'u1', sentence: 'You must never push to the main branch without a review of mine.' },
      ],
    });
  });

  it('lists losses up to its size limit, and counts all of them', () => {
    const words = Array.from({ length: 500 }, (_, at) => `name_${at}`).join('\n');
    const { missing, missingKeys } = fidelityOf([assistant('a1', words)], '', []);
    expect(missing).toHaveLength(100);
    expect(missingKeys).toBe(500);
  });

  it('never falls when more is kept', () =>
    fc.assert(
      fc.property(fc.subarray(covered), fc.subarray(covered), (some, more) => {
        const both = covered.filter((message) => some.includes(message) || more.includes(message));
        expect(fidelityOf(covered, '', both).score).toBeGreaterThanOrEqual(
          fidelityOf(covered, '', some).score,
        );
      }),
    ));
});
