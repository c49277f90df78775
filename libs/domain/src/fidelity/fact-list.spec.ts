import { factList, fidelityOf } from '@app/domain';
import { assistant, call, result, user } from '@app/testing';

const covered = [
  user('u1', 'Look at libs/orders/src/total-price.ts first.'),
  assistant('a1', 'The port of stagingServer is 8443 there.', call('t1', 'read_file', { path: 'README.md' })),
  user('u2', result('t1', 'The user said "drop the ordersTable" once.')),
];

describe('the fact list', () => {
  // Holds rule 5.66.
  it('lists the line of a lost fact that retained messages refer to, with its message id', () =>
    expect(factList(covered, '', [assistant('a9', 'Now to stagingServer.')])).toEqual([
      '- The port of stagingServer is 8443 there. [a1]',
    ]));

  it('finds a path by its last segment', () =>
    expect(factList(covered, '', [assistant('a9', 'So total-price.ts it is.')])).toEqual([
      '- Look at libs/orders/src/total-price.ts first. [u1]',
    ]));

  it('omits facts that the summary names or that no retained message refers to', () => {
    expect(factList(covered, 'stagingServer', [assistant('a9', 'stagingServer')])).toEqual([]);
    expect(factList(covered, '', [assistant('a9', 'Well.')])).toEqual([]);
  });

  it('contains no line that attributes words to the user', () =>
    expect(factList(covered, '', [assistant('a9', 'What of ordersTable?')])).toEqual([]));

  it('raises fidelity', () => {
    const retained = [assistant('a9', 'So total-price.ts it is.')];
    const facts = factList(covered, '', retained).join('\n');
    expect(fidelityOf(covered, facts, retained).score).toBeGreaterThan(
      fidelityOf(covered, '', retained).score,
    );
  });
});
