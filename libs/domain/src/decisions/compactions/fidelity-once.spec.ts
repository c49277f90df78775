import { CompactionId, MessageId } from '@app/kernel';
import { fidelityOf } from '../../fidelity/fidelity.js';
import { type Message, textBlock } from '../../message/index.js';
import { type Compared, fidelityOnce } from './fidelity-once.js';

const said = (id: string, text: string): Message => ({
  id: MessageId(id),
  role: 'user',
  blocks: [textBlock(text)],
});
const covered = [said('a', 'the file src/orders.ts fails'), said('b', 'and src/bills.ts')];
const compared: Compared = { covered, previous: undefined, summary: 'src/orders.ts', context: [] };

describe('the fidelity of a completion that is decided again', () => {
  it('is not computed again for the same messages and summary', () => {
    const first = fidelityOnce(compared);
    expect(first).toEqual(fidelityOf(covered, 'src/orders.ts', []));
    expect(fidelityOnce({ ...compared, covered: [...covered] })).toBe(first);
  });

  it.each<[string, Partial<Compared>]>([
    ['summary', { summary: 'src/bills.ts' }],
    ['retained messages', { context: [said('c', 'src/bills.ts')] }],
    ['previous summary', { previous: { summary: 'src/other.ts', compactionId: CompactionId('c-1') } }],
    ['covered messages', { covered: covered.slice(0, 1) }],
    ['content of a message', { covered: [...covered.slice(0, 1), said('b', 'gone')] }],
  ])('is computed again for another %s', (_, other) => {
    const first = fidelityOnce(compared);
    expect(fidelityOnce({ ...compared, ...other })).not.toEqual(first);
  });
});
