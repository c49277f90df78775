import { randomUUID } from 'node:crypto';
import {
  ANY,
  BACKWARDS,
  END,
  NO_STREAM,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import fc from 'fast-check';
import { Random } from '../../../support/random.js';
import { isForeign, useContractServer } from '../support/contract-server.js';
import { collect, counted } from '../support/events.js';
import { isLinearizable, type Operation } from './check.js';
import { type StreamCall, type StreamResult, streamModel } from './stream-model.js';

type History = Operation<StreamCall, StreamResult>[];

describe('linearizability check', () => {
  const append = (start: number, end: number, id: string, last: number): History[number] => ({
    start,
    end,
    call: { kind: 'append', ids: [id], expected: 'any' },
    result: { kind: 'appended', last },
  });
  const read = (start: number, end: number, ...ids: string[]): History[number] => ({
    start,
    end,
    call: { kind: 'read' },
    result: { kind: 'events', ids },
  });

  it.each<[string, boolean, History]>([
    ['sequential calls', true, [append(0, 1, 'a', 0), append(2, 3, 'b', 1), read(4, 5, 'a', 'b')]],
    [
      'concurrent calls in either order',
      true,
      [append(0, 3, 'a', 1), append(1, 2, 'b', 0), read(4, 5, 'b', 'a')],
    ],
    ['a stale read', false, [append(0, 1, 'a', 0), read(2, 3)]],
    ['a premature read', false, [read(0, 1, 'a'), append(2, 3, 'a', 0)]],
    ['a read during an append with either result', true, [append(0, 9, 'a', 0), read(1, 2), read(3, 4, 'a')]],
    ['reads that go back in time', false, [append(0, 9, 'a', 0), read(1, 2, 'a'), read(3, 4)]],
    ['a revision assigned twice', false, [append(0, 3, 'a', 0), append(1, 2, 'b', 0)]],
    ['an append that was lost', false, [append(0, 1, 'a', 0), append(2, 3, 'b', 1), read(4, 5, 'a')]],
    [
      'an append without an answer',
      true,
      [
        { start: 0, end: Number.POSITIVE_INFINITY, call: { kind: 'append', ids: ['a'], expected: 'any' } },
        read(1, 2),
        read(3, 4, 'a'),
      ],
    ],
  ])('judges %s correctly', (_, verdict, history) =>
    expect(isLinearizable(streamModel, history)).toBe(verdict),
  );

  it('accepts every history of a sequential server', () =>
    fc.assert(
      fc.property(
        fc.array(fc.record({ reads: fc.boolean(), before: fc.nat(3), after: fc.nat(3) })),
        (steps) => {
          const ids: string[] = [];
          const history = steps.map(({ reads, before, after }, at) => {
            const times = [at * 4 - before, at * 4 + after] as const;
            if (reads) return read(...times, ...ids);
            ids.push(`e${at}`);
            return append(...times, `e${at}`, ids.length - 1);
          });
          return isLinearizable(streamModel, history);
        },
      ),
    ));
});

describe('event store', () => {
  const server = useContractServer();
  const STREAMS = 3;
  const WORKERS = 16;
  const STEPS = 40;

  it('is linearizable', async () => {
    const streams: { name: string; history: History }[] = Array.from({ length: STREAMS }, () => ({
      name: server.streamName(),
      history: [],
    }));
    const random = new Random(Number(process.env.PALIMPSEST_SEED ?? 1));
    const lengths = new Map<string, number>();
    let clock = 0;
    const worker = async (): Promise<void> => {
      for (let step = 0; step < STEPS; step += 1) {
        const stream = streams[random.below(STREAMS)];
        if (!stream) return;
        const call = nextCall(random, lengths.get(stream.name) ?? 0);
        const start = clock++;
        const result = await perform(stream.name, call);
        stream.history.push({ start, end: clock++, call, result });
        if (result.kind === 'appended') lengths.set(stream.name, result.last + 1);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, worker));
    for (const { history } of streams) {
      expect(history.filter(({ result }) => result?.kind === 'conflict').length).toBeGreaterThan(0);
      // EventStoreDB refuses appends for events that reads do not show yet: only its other answers are checked.
      const checked = isForeign ? history.filter(({ result }) => result?.kind !== 'conflict') : history;
      expect(isLinearizable(streamModel, checked)).toBe(true);
    }
  });

  const perform = async (stream: string, call: StreamCall): Promise<StreamResult> => {
    if (call.kind !== 'append') return { kind: 'events', ids: await idsOf(stream, call.kind === 'tail') };
    const { ids, expected } = call;
    const expectedRevision =
      expected === 'any' ? ANY : expected === 'no-stream' ? NO_STREAM : BigInt(expected);
    try {
      const events = ids.map((id, n) => counted(n, id));
      const { nextExpectedRevision } = await server.client.appendToStream(stream, events, {
        expectedRevision,
      });
      return { kind: 'appended', last: Number(nextExpectedRevision) };
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) return { kind: 'conflict' };
      throw error;
    }
  };

  const idsOf = async (stream: string, tailOnly: boolean): Promise<string[]> => {
    const tail = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
    try {
      const events = await collect(server.client.readStream(stream, tailOnly ? tail : {}));
      return events.map(({ event }) => event?.id ?? '');
    } catch (error) {
      if (error instanceof StreamNotFoundError) return [];
      throw error;
    }
  };
});

/** Expected revisions are guessed near the end, so that some are right and some are wrong. */
const nextCall = (random: Random, length: number): StreamCall => {
  const kind = random.below(10);
  if (kind < 2) return { kind: 'read' };
  if (kind < 4) return { kind: 'tail' };
  const ids = Array.from({ length: 1 + random.below(3) }, () => randomUUID());
  if (kind < 6) return { kind: 'append', ids, expected: 'any' };
  const guess = length - 1 - (random.below(4) === 0 ? 1 : 0);
  return { kind: 'append', ids, expected: guess < 0 ? 'no-stream' : guess };
};
