import { randomUUID } from 'node:crypto';
import type { AppError, LogPosition, StreamName } from '@app/kernel';
import type { Delivery, LogItem, UnreadableEvent } from '@app/ports';
import { openedEvent, requestedEvent } from '@app/testing';
import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { collect } from './support/collect.js';
import { newStream, openRealLog, record, useLog } from './support/logs.js';

const never = () => new AbortController().signal;
const metadata = {
  schemaVersion: 1,
  tenantId: 'acme',
  actor: 'tester',
  recordedAt: '2026-11-21T00:00:00.000Z',
  $correlationId: 'some-turn',
};
const requested = { ...requestedEvent('cmp').data };
const CORRUPT = { code: 'corrupt-event' } satisfies Partial<AppError>;

/** Events that another program may have written into a stream of the service. */
const FOREIGN = [
  ['no metadata', jsonEvent({ type: 'CompactionRequested', data: requested })],
  ['another type', jsonEvent({ type: 'Foreign', data: {}, metadata })],
  ['the name of a member of Object', jsonEvent({ type: 'constructor', data: {}, metadata })],
  ['another shape', jsonEvent({ type: 'CompactionRequested', data: { ...requested, turn: 'x' }, metadata })],
  ['data that is not an object', jsonEvent({ type: 'CompactionRequested', data: 'text', metadata })],
  [
    'an invalid actor',
    jsonEvent({ type: 'CompactionRequested', data: requested, metadata: { ...metadata, actor: 'ä b' } }),
  ],
  [
    'an invalid time',
    jsonEvent({
      type: 'CompactionRequested',
      data: requested,
      metadata: { ...metadata, recordedAt: 'soon' },
    }),
  ],
  [
    'a later version',
    jsonEvent({ type: 'CompactionRequested', data: requested, metadata: { ...metadata, schemaVersion: 2 } }),
  ],
  [
    'a reference to missing content',
    jsonEvent({
      type: 'CompactionRequested',
      data: {},
      metadata: {
        ...metadata,
        claims: [{ path: [], digest: 'a'.repeat(64), size: 1, mediaType: 'application/json' }],
      },
    }),
  ],
  ['bytes', binaryEvent({ type: 'CompactionRequested', data: Buffer.from([1, 2, 3]) })],
] as const;

/** Whether the event refers to stored content, whose absence the blob store reports. */
const isClaiming = ({ metadata: about }: (typeof FOREIGN)[number][1]): boolean =>
  typeof about === 'object' && 'claims' in about;

describe('foreign event', () => {
  const current = useLog(openRealLog);
  let foreign: EventStoreDBClient | undefined;
  beforeAll(() => {
    foreign = EventStoreDBClient.connectionString(current().url);
  });
  afterAll(() => foreign?.dispose());
  const write = (stream: string, event: (typeof FOREIGN)[number][1], count = 1) =>
    foreign?.appendToStream(
      stream,
      Array.from({ length: count }, () => ({ ...event, id: randomUUID() })),
    );

  it.each(FOREIGN)('is reported as corrupt with its position when read: %s', async (_, event) => {
    const stream = newStream();
    const from = await current().subscriptions.head();
    await record(current(), stream, [openedEvent()]);
    await write(stream, event);
    const place = expect.stringContaining(`event 1 of ${stream}`);
    for (const items of [current().log.readForwards(stream), current().log.readBackwards(stream)]) {
      await expect(collect(items)).rejects.toMatchObject(CORRUPT);
    }
    expect(await unreadableAfter(from, stream)).toMatchObject({
      ...{ stream, revision: 1, type: event.type, position: expect.any(BigInt) },
      error: CORRUPT,
    });
    if (event.type !== 'CompactionRequested' || isClaiming(event)) return;
    await expect(collect(current().log.readForwards(stream))).rejects.toMatchObject({ message: place });
  });

  /** Returns the unreadable event of the stream after `from`, from a read to the end of the log. */
  const unreadableAfter = async (from: LogPosition | 'start', stream: StreamName) => {
    let found: UnreadableEvent | undefined;
    for await (const item of current().subscriptions.catchUp(from, never())) {
      if (item.kind === 'unreadable' && item.unreadable.stream === stream) found = item.unreadable;
      if (item.kind === 'caught-up') break;
    }
    return found;
  };

  it.each(FOREIGN.filter(([, { type }]) => type === 'CompactionRequested'))(
    'is parked by a durable subscription, and blocks no later event: %s',
    async (_, event) => {
      const [bad, good] = [newStream(), newStream()];
      await write(bad, event);
      await record(current(), good, [openedEvent(), requestedEvent('cmp-good')]);
      const group = `group-${randomUUID()}`;
      const errors: unknown[] = [];
      const found = await firstOf(good, group, errors);
      expect(found.recorded.stream).toBe(good);
      const mine = errors.filter((error) => String(error).includes(bad));
      expect(mine).toHaveLength(isClaiming(event) ? 0 : 1);
    },
  );

  /** Returns the first delivery of a stream in one subscription, and adds the errors of parked events before it. */
  const firstOf = async (stream: StreamName, group: string, errors: unknown[]): Promise<Delivery> => {
    const { subscriptions } = current();
    const parked = (error: unknown): void => void errors.push(error);
    const types = ['CompactionRequested'] as const;
    for await (const delivery of subscriptions.durable(group, types, never(), 1, parked)) {
      await delivery.ack();
      if (delivery.recorded.stream === stream) return delivery;
    }
    throw new Error('the subscription has ended');
  };

  it('in a stream of another kind does not disturb a durable subscription', async () => {
    const stream = newStream();
    await write('session-acme.ä', FOREIGN[0][1]);
    await write('other-stream', FOREIGN[0][1]);
    await record(current(), stream, [openedEvent(), requestedEvent('cmp')]);
    const errors: unknown[] = [];
    await firstOf(stream, `group-${randomUUID()}`, errors);
    expect(errors.filter((error) => /ä|other-stream/.test(String(error)))).toEqual([]);
  });

  it('advances checkpoints, but never past an own event, for any reader speed', async () => {
    const from = await current().subscriptions.head();
    const streams = [newStream(), newStream(), newStream()];
    for (const stream of streams) {
      await record(current(), stream, [openedEvent()]);
      await write('other-stream', FOREIGN[1][1], 3_000);
    }
    const items: LogItem[] = [];
    for await (const item of current().subscriptions.catchUp(from, never())) {
      items.push(item);
      if (item.kind === 'caught-up') break;
      for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    const places = items.flatMap((item) =>
      item.kind === 'event' ? [item.recorded.position] : item.kind === 'checkpoint' ? [item.position] : [],
    );
    expect(places).toEqual([...places].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
    expect(items.flatMap((item) => (item.kind === 'event' ? [item.recorded.stream] : []))).toEqual(streams);
    expect(items.some(({ kind }) => kind === 'checkpoint')).toBe(true);
  });
});
