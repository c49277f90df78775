import fc from 'fast-check';
import { EventId } from '../../log/event-id.js';
import { encodeRecord, StoredEvent } from '../../log/record.js';
import type { Holder } from './consumer.js';
import { type Message, newMessage, onceMore } from './message.js';
import { Messages } from './messages.js';

const idOf = (place: number): EventId => EventId(place.toString(16).padStart(32, '0'));
const messageAt = (place: number): Message => {
  const proposed = {
    id: idOf(place),
    type: 'Tested',
    contentType: 'application/json',
    data: Buffer.alloc(0),
    metadata: Buffer.alloc(0),
  };
  const placement = { stream: 's', revision: place, position: place, createdAt: new Date(0) };
  const event = new StoredEvent(place, encodeRecord(proposed, placement));
  return newMessage({ kind: 'source', place, sequence: place }, event, { event });
};
const placeOf = ({ origin }: Message): number => (origin.kind === 'source' ? origin.place : -1);

class Hand implements Holder {
  readonly held = new Set<EventId>();
  took(id: EventId): void {
    this.held.add(id);
  }
  gaveBack(id: EventId): void {
    this.held.delete(id);
  }
}

type Move = { readonly kind: 'read' | 'deliver' | 'finish' | 'retry' | 'leave'; readonly pick: number };
const moves = fc.array(
  fc.record<Move>({
    kind: fc.constantFrom('read', 'deliver', 'deliver', 'finish', 'retry', 'leave'),
    pick: fc.nat({ max: 50 }),
  }),
  { minLength: 10, maxLength: 150 },
);

/** Guarantee: after any sequence of calls an unfinished event is held exactly once, and bounds the checkpoint. */
describe('messages of a group', () => {
  const everyRun = (
    holds: (messages: Messages<Hand>, unfinished: ReadonlySet<number>, hands: readonly Hand[]) => void,
  ) => {
    const property = fc.property(moves, (game) => {
      const messages = new Messages<Hand>();
      const hands = [new Hand(), new Hand()];
      const unfinished = new Set<number>();
      let next = 0;
      for (const { kind, pick } of game) {
        const hand = hands[pick % 2];
        const held = [...messages.outstanding.keys()][pick % Math.max(1, messages.outstanding.size)];
        if (kind === 'read') {
          messages.addFresh([messageAt(next), messageAt(next + 1)]);
          unfinished.add(next).add(next + 1);
          next += 2;
        } else if (kind === 'deliver' && hand) {
          const found = messages.next(() => hand);
          if (found) messages.deliver({ ...found, deadline: 0 });
        } else if (kind === 'leave' && hand) {
          for (const message of messages.takeAllOf(hand)) messages.addRetry(onceMore(message));
        } else if (held !== undefined) {
          const message = messages.take(held);
          if (message && kind === 'retry') messages.addRetry(onceMore(message));
          else if (message) unfinished.delete(placeOf(message));
        }
        holds(messages, unfinished, hands);
      }
    });
    fc.assert(property, { numRuns: 200 });
  };

  it('loses and duplicates no event', () =>
    everyRun((messages, unfinished) => {
      const outstanding = [...messages.outstanding.values()].map(({ message }) => message);
      const places = [...messages.fresh, ...messages.retries, ...outstanding].map(placeOf);
      expect(places.sort((a, b) => a - b)).toEqual([...unfinished].sort((a, b) => a - b));
    }));

  it('reports the first unfinished event as the bound of the checkpoint', () =>
    everyRun((messages, unfinished) => {
      expect(messages.lowest()?.place).toBe(unfinished.size > 0 ? Math.min(...unfinished) : undefined);
    }));

  it('retries events in the order of the source', () =>
    everyRun(({ retries }) => {
      const places = retries.map(placeOf);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    }));

  it('records which consumer holds each delivered event', () =>
    everyRun((messages, _, hands) => {
      const held = hands.reduce((sum, hand) => sum + hand.held.size, 0);
      expect(held).toBe(messages.outstanding.size);
    }));

  it('counts no waiting bytes without waiting events', () =>
    everyRun(({ waitingBytes, waitingCount }) => {
      expect(waitingBytes > 0).toBe(waitingCount > 0);
    }));

  it('delivers later events past one whose consumer has no room', () => {
    const messages = new Messages<Hand>();
    const hand = new Hand();
    messages.addFresh([messageAt(0), messageAt(1)]);
    const found = messages.next((message) => (placeOf(message) === 0 ? 'later' : hand));
    expect(found && placeOf(found.message)).toBe(1);
    expect(messages.next(() => 'none')).toBeUndefined();
    expect(messages.fresh.map(placeOf)).toEqual([0]);
  });
});
