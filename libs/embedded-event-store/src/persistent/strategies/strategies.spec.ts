import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { EventId } from '../../log/event-id.js';
import { encodeRecord, StoredEvent } from '../../log/record.js';
import type { Delivery } from '../../streams/reads/delivery.js';
import { pinnedByCorrelation, pinnedByStream, STRATEGY_NAMES, strategyOf } from './strategy-of.js';

type Worker = { readonly name: number; hasRoom: boolean };

const eventOf = (stream: string, { type = 'Tested', data = '', metadata = '' } = {}): StoredEvent =>
  new StoredEvent(
    0,
    encodeRecord(
      {
        id: EventId(randomUUID()),
        type,
        contentType: 'application/json',
        data: Buffer.from(data),
        metadata: Buffer.from(metadata),
      },
      { stream, revision: 0, position: 0, createdAt: new Date(0) },
    ),
  );

type Step =
  | { readonly kind: 'event'; readonly stream: number }
  | { readonly kind: 'join' | 'leave' | 'fill' | 'empty'; readonly worker: number };
const worker = fc.nat({ max: 4 });
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('event' as const), stream: fc.nat({ max: 30 }) }) },
    fc.record({ kind: fc.constantFrom('join' as const, 'leave', 'fill', 'empty'), worker }),
  ),
  { minLength: 20, maxLength: 120 },
);

/** Plays `steps`, and yields every choice with the workers of that moment. */
const play = (
  name: (typeof STRATEGY_NAMES)[number],
  moves: readonly Step[],
  chosen: (choice: Worker | 'none' | 'later', stream: number, present: ReadonlySet<Worker>) => void,
  joined: () => void = () => undefined,
): void => {
  const strategy = strategyOf<Worker>(name);
  const workers = Array.from({ length: 5 }, (_, index): Worker => ({ name: index, hasRoom: true }));
  const present = new Set<Worker>();
  for (const move of moves) {
    if (move.kind === 'event') {
      const delivery: Delivery = { event: eventOf(`stream-${move.stream}`) };
      chosen(strategy.choose(delivery), move.stream, present);
      continue;
    }
    const one = workers[move.worker];
    if (!one) continue;
    if (move.kind === 'join' && !present.has(one)) {
      present.add(one);
      strategy.add(one, []);
      joined();
    } else if (move.kind === 'leave' && present.delete(one)) strategy.remove(one);
    else if (move.kind === 'fill') one.hasRoom = false;
    else if (move.kind === 'empty') one.hasRoom = true;
  }
};

describe.each(STRATEGY_NAMES)('%s', (name) => {
  it('chooses only connected consumers with room', () => {
    fc.assert(
      fc.property(steps, (moves) =>
        play(name, moves, (choice, _, present) => {
          if (typeof choice === 'string') return;
          expect([present.has(choice), choice.hasRoom]).toEqual([true, true]);
        }),
      ),
    );
  });

  it('returns `none` exactly if no consumer has room', () => {
    fc.assert(
      fc.property(steps, (moves) =>
        play(name, moves, (choice, _, present) => {
          const hasRoom = [...present].some(({ hasRoom }) => hasRoom);
          expect(choice === 'none').toBe(!hasRoom);
        }),
      ),
    );
  });
});

describe.each(['Pinned', 'PinnedByCorrelation'] as const)('%s', (name) => {
  it('delivers a stream to one consumer until it leaves or another one joins', () => {
    fc.assert(
      fc.property(steps, (moves) => {
        let owners = new Map<number, Worker>();
        const forget = () => {
          owners = new Map();
        };
        play(
          name,
          moves,
          (choice, stream, present) => {
            if (typeof choice === 'string') return;
            const owner = owners.get(stream);
            if (owner && present.has(owner)) expect(choice.name).toBe(owner.name);
            owners.set(stream, choice);
          },
          forget,
        );
      }),
    );
  });

  it('assigns a joining consumer a fair share', () => {
    const strategy = strategyOf<Worker>(name);
    const workers = [0, 1, 2, 3].map((index): Worker => ({ name: index, hasRoom: true }));
    const streams = Array.from({ length: 400 }, (_, n) => ({ event: eventOf(`stream-${n}`) }));
    for (const one of workers) {
      strategy.add(one, []);
      for (const delivery of streams) strategy.choose(delivery);
    }
    const shares = new Map<unknown, number>();
    for (const delivery of streams) {
      const choice = strategy.choose(delivery);
      shares.set(choice, (shares.get(choice) ?? 0) + 1);
    }
    for (const one of workers) expect(shares.get(one)).toBeGreaterThan(60);
  });

  it('leaves streams in flight with their consumer if others can be reassigned', () => {
    const strategy = strategyOf<Worker>(name);
    const [first, second] = [0, 1].map((index): Worker => ({ name: index, hasRoom: true }));
    if (!first || !second) throw new Error('there are two');
    strategy.add(first, []);
    const streams = Array.from({ length: 40 }, (_, n) => ({ event: eventOf(`stream-${n}`) }));
    for (const delivery of streams) strategy.choose(delivery);
    const working = streams.slice(0, 10);
    strategy.add(second, working);
    expect(working.map((delivery) => strategy.choose(delivery))).toEqual(working.map(() => first));
  });
});

describe('pin key', () => {
  it('is the stream of the event, also behind a link, and the target stream of an unresolved link', () => {
    const event = eventOf('source');
    const link = eventOf('links', { type: '$>', data: '3@some@where' });
    expect(pinnedByStream({ event })).toBe('source');
    expect(pinnedByStream({ event, link })).toBe('source');
    expect(pinnedByStream({ event: undefined, link })).toBe('some@where');
    expect(pinnedByStream({ event: link })).toBe('some@where');
  });

  it('is the correlation id if the metadata has one', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ maxLength: 300 }), ($correlationId, data) => {
        const metadata = JSON.stringify({ some: { $correlationId: 'inner' }, $correlationId });
        expect(pinnedByCorrelation({ event: eventOf('source', { data, metadata }) })).toBe($correlationId);
      }),
    );
  });

  it.each(['', '{}', 'no JSON', '[1]', '"$correlationId"', '{"$correlationId":7}'])(
    'is the stream without a correlation id in the metadata: %s',
    (metadata) => {
      expect(pinnedByCorrelation({ event: eventOf('source', { metadata }) })).toBe('source');
    },
  );
});
