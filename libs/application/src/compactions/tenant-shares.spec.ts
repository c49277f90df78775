import { LogPosition, TenantId } from '@app/kernel';
import { FairQueue } from './tenant-shares.js';

const [a, b, c] = [TenantId('a'), TenantId('b'), TenantId('c')];
const everybody = () => true;

const queueOf = (...items: readonly (readonly [TenantId, number])[]) => {
  const queue = new FairQueue<{ tenant: TenantId; position: LogPosition }>();
  for (const [tenant, position] of items) queue.add({ tenant, position: LogPosition(BigInt(position)) });
  const take = (hasRoom = (_: TenantId): boolean => true) => {
    const item = queue.take(hasRoom);
    return item && `${item.tenant}${item.position}`;
  };
  return { queue, take };
};

describe('the fair queue', () => {
  it('takes items of each tenant in turn', () => {
    const { take } = queueOf([a, 1], [a, 2], [a, 3], [b, 4], [c, 5], [b, 6]);
    expect(Array.from({ length: 7 }, () => take())).toEqual(['a1', 'b4', 'c5', 'a2', 'b6', 'a3', undefined]);
  });

  it('takes the items of one tenant in log order', () => {
    const { take } = queueOf([a, 3], [a, 1], [a, 2]);
    expect([take(), take(), take()]).toEqual(['a1', 'a2', 'a3']);
  });

  it('keeps the turn of a tenant at its limit', () => {
    const { take } = queueOf([a, 1], [b, 2], [b, 3]);
    expect(take((tenant) => tenant !== a)).toBe('b2');
    expect(take()).toBe('a1');
    expect(take(() => false)).toBeUndefined();
    expect(take()).toBe('b3');
  });

  it('can be emptied', () => {
    const { queue } = queueOf([a, 1], [b, 2], [a, 3]);
    expect(queue.clear()).toHaveLength(3);
    expect(queue.take(everybody)).toBeUndefined();
    expect(queue.has(a)).toBe(false);
  });
});
