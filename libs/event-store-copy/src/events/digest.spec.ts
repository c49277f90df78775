import fc from 'fast-check';
import { LogDigester } from './digest.js';
import { isCopy } from './is-copy.js';
import { omissionReason } from './omission-reason.js';
import type { RawEvent } from './raw-event.js';

const bytes = fc.uint8Array({ maxLength: 4 });
const event: fc.Arbitrary<RawEvent> = fc.record({
  stream: fc.constantFrom('a', 'b'),
  revision: fc.bigInt(0n, 3n),
  id: fc.uuid(),
  type: fc.constantFrom('T', 'U', ''),
  contentType: fc.constantFrom('application/json', 'application/octet-stream'),
  metadata: bytes,
  data: bytes,
});
const digestOf = (events: readonly RawEvent[]) => {
  const digester = new LogDigester();
  for (const each of events) digester.add(each);
  return digester.finish();
};

/** Guarantee: different logs have different digests. */
describe('log digest', () => {
  it('differs for any two events that are not copies', () =>
    fc.assert(
      fc.property(event, event, (one, other) => {
        expect(digestOf([one]).all === digestOf([other]).all).toBe(isCopy(other, one));
      }),
    ));

  it('differs if bytes move from one field to the next', () =>
    fc.assert(
      fc.property(event, bytes, (some, more) => {
        fc.pre(more.length > 0);
        const one = { ...some, metadata: new Uint8Array([...some.metadata, ...more]) };
        const other = { ...some, data: new Uint8Array([...more, ...some.data]) };
        expect(digestOf([one]).all).not.toBe(digestOf([other]).all);
      }),
    ));

  it("has one value for the log's order, and one for the order within streams", () =>
    fc.assert(
      fc.property(event, event, (first, second) => {
        fc.pre(!isCopy(second, first));
        const [one, other] = [digestOf([first, second]), digestOf([second, first])];
        expect(one.all).not.toBe(other.all);
        expect(one.streams).toBe(other.streams);
        expect(digestOf([first, first]).streams).not.toBe(digestOf([second, second]).streams);
      }),
    ));
});

describe('copy', () => {
  it.each([
    ['order-1', undefined],
    ['$$order-1', undefined],
    ['$settings', undefined],
    ['$$$settings', undefined],
    ['$$$all', undefined],
    ['$mine', undefined],
    ['$ce-order', 'projections'],
    ['$$$ce-order', 'projections'],
    ['$et-OrderPlaced', 'projections'],
    ['$et', 'projections'],
    ['$$$et', 'projections'],
    ['$etc', undefined],
    ['$bc-1', 'projections'],
    ['$category-order', 'projections'],
    ['$streams', 'projections'],
    ['$projections-$by_category', 'projections'],
    ['$persistentsubscription-order-1::group-parked', 'subscriptions'],
    ['$persistentSubscriptionConfig', 'subscriptions'],
    ['$epoch-information', 'system'],
    ['$stats-127.0.0.1:2113', 'system'],
    ['$scavenges-1', 'system'],
    ['$user-admin', 'users'],
    ['$users', 'users'],
  ])('omits events of %s: %s', (stream, why) => expect(omissionReason(stream)).toBe(why));
});
