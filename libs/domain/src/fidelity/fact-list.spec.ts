import { factList, fidelityOf } from '@app/domain';
import { assistant, call, result, user } from '@app/testing';

const covered = [
  user('u1', 'Look at libs/orders/src/total-price.ts first.'),
  assistant('a1', 'The port of stagingServer is 8443 there.', call('t1', 'read_file', { path: 'README.md' })),
  user('u2', result('t1', 'The user said "drop the ordersTable" once.')),
];

describe('the fact list', () => {
  // Holds rule 5.66.
  it('has the line of what was lost and what stays refers to, with the id of its message', () =>
    expect(factList(covered, '', [assistant('a9', 'Now to stagingServer.')])).toEqual([
      '- The port of stagingServer is 8443 there. [a1]',
    ]));

  it('finds a path by its last part', () =>
    expect(factList(covered, '', [assistant('a9', 'So total-price.ts it is.')])).toEqual([
      '- Look at libs/orders/src/total-price.ts first. [u1]',
    ]));

  it('has nothing that the summary names, or that nothing that stays refers to', () => {
    expect(factList(covered, 'stagingServer', [assistant('a9', 'stagingServer')])).toEqual([]);
    expect(factList(covered, '', [assistant('a9', 'Well.')])).toEqual([]);
  });

  it('has no line that puts words into the mouth of the user', () =>
    expect(factList(covered, '', [assistant('a9', 'What of ordersTable?')])).toEqual([]));

  it('raises fidelity', () => {
    const retained = [assistant('a9', 'So total-price.ts it is.')];
    const facts = factList(covered, '', retained).join('\n');
    expect(fidelityOf(covered, facts, retained).score).toBeGreaterThan(
      fidelityOf(covered, '', retained).score,
    );
  });
});
