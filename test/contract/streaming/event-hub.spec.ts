import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { AppError, LogPosition } from '@app/kernel';
import { placeOf, revisionsFrom, Streaming, take } from './support/streaming.js';

/** Runs all work that does not wait for I/O. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await yieldToLoop();
};

describe('stream reader', () => {
  it('receives the history from the start, and continues live', async () => {
    const streaming = new Streaming();
    for (let n = 0; n < 3; n += 1) await streaming.write('one');
    const events = (await streaming.open()).events();
    expect((await take(events, 3)).map(placeOf)).toEqual(revisionsFrom('one', 0, 3));
    const coming = take(events, 2);
    await streaming.write('one');
    await streaming.write('one');
    expect((await coming).map(placeOf)).toEqual(revisionsFrom('one', 3, 5));
    await streaming.hub.close();
  });

  it('receives no earlier events when it begins now', async () => {
    const streaming = new Streaming();
    await streaming.write('one');
    const events = (await streaming.open('now')).events();
    const coming = take(events, 1);
    await streaming.write('one');
    expect((await coming).map(placeOf)).toEqual(['one/1']);
    await streaming.hub.close();
  });

  it('resumes at every position without gaps or duplicates while the log grows', async () => {
    const streaming = new Streaming();
    for (let n = 0; n < 20; n += 1) await streaming.write(n % 2 ? 'one' : 'two');
    const all = await take((await streaming.open()).events(), 20);
    for (const [at, { position }] of all.entries()) {
      const reader = await streaming.open(position);
      await streaming.write('three');
      const rest = await take(reader.events(), 20 - at);
      expect(rest.slice(0, 19 - at).map(placeOf)).toEqual(all.slice(at + 1).map(placeOf));
      expect(rest.at(-1)?.session).toBe('three');
      reader.end('gone');
    }
    await streaming.hub.close();
  });

  it('receives only the events that match its filter, and none of another tenant', async () => {
    const streaming = new Streaming();
    for (const session of ['one', 'one', 'one2', 'two', 'two']) await streaming.write(session);
    for (const session of ['one', 'one']) await streaming.write(session, 'umbrella');
    await streaming.write('one', 'acm');
    const last = async (filter: Parameters<Streaming['open']>[1], count: number) =>
      (await take((await streaming.open('start', filter)).events(), count)).map(placeOf);
    expect(await last({ sessions: ['one'] }, 2)).toEqual(['one/0', 'one/1']);
    expect(await last({ sessions: ['one', 'two'] }, 4)).toEqual(['one/0', 'one/1', 'two/0', 'two/1']);
    expect(await last({ types: ['TurnCompleted'] }, 2)).toEqual(['one/1', 'two/1']);
    expect(await last({ types: ['TurnCompleted'], sessions: ['two'] }, 1)).toEqual(['two/1']);
    const live = take((await streaming.open('now', { sessions: ['one'] })).events(), 1);
    for (const tenant of ['umbrella', 'acm']) await streaming.write('one', tenant);
    await streaming.write('one2');
    await streaming.write('one');
    expect((await live).map(placeOf)).toEqual(['one/2']);
    await streaming.hub.close();
  });

  it('receives an unreadable event as such in its place, and continues; other tenants do not see it', async () => {
    const streaming = new Streaming();
    await streaming.write('one');
    await streaming.writeUnreadable('one');
    await streaming.write('one');
    const places = ['one/0', 'one/1', 'one/2', 'one/3', 'one/4'];
    const reader = (await streaming.open()).events();
    const other = (await streaming.open('start', { tenant: 'umbrella' })).events();
    const found = await take(reader, 3);
    expect(found.map(placeOf)).toEqual(places.slice(0, 3));
    expect(found.map(({ name }) => name)).toEqual(['SessionOpened', 'event-unreadable', 'TurnCompleted']);
    const live = take(reader, 2);
    await streaming.writeUnreadable('one');
    await streaming.write('one');
    await streaming.write('two', 'umbrella');
    expect((await live).map(placeOf)).toEqual(places.slice(3));
    expect((await take(other, 1)).map(placeOf)).toEqual(['two/0']);
    expect(streaming.problems).toMatchObject([{ code: 'corrupt-event' }]);
    await streaming.hub.close();
  });

  it('receives facts only without permission for content', async () => {
    const streaming = new Streaming();
    await streaming.write('one');
    const [event] = await take((await streaming.open()).events(), 1);
    expect(JSON.parse(event?.json('none') ?? '')).toMatchObject({
      session: 'one',
      type: 'SessionOpened',
      data: { facts: 'SessionOpened' },
    });
    expect(JSON.parse(event?.json('full') ?? '')).toMatchObject({
      data: { systemPrompt: expect.any(String) },
    });
    await streaming.hub.close();
  });

  it.each(['one', 'nobody'])(
    'ends at the current end of the log if it does not follow: %s',
    async (session) => {
      const streaming = new Streaming();
      for (const name of ['one', 'two', 'one', 'two']) await streaming.write(name);
      const head = await streaming.log.subscriptions.head();
      const reader = await streaming.open('start', { sessions: [session], follow: false });
      await streaming.write('one');
      const seen = (await take(reader.events(), 10)).map(placeOf);
      expect(seen).toEqual(session === 'one' ? ['one/0', 'one/1'] : []);
      expect(reader.reason).toBe('end-reached');
      expect(reader.position).toBe(head);
      expect(streaming.hub.size).toBe(0);
    },
  );

  it('advances past events outside its filter, so that it resumes near the end', async () => {
    const streaming = new Streaming();
    const reader = await streaming.open('start', { sessions: ['quiet'] });
    const coming = take(reader.events(), 1);
    for (let n = 0; n < 5; n += 1) await streaming.write('loud');
    await settle();
    expect(reader.position).toBe(await streaming.log.subscriptions.head());
    await streaming.write('quiet');
    expect((await coming).map(placeOf)).toEqual(['quiet/0']);
    await streaming.hub.close();
  });
});

describe('slow stream reader', () => {
  it('is cut off with a resume position once its next event is no longer buffered', async () => {
    const streaming = new Streaming({ events: 10 });
    const slow = await streaming.open('now');
    const fast = await streaming.open('now');
    const slowEvents = slow.events();
    const seen: string[] = [];
    const first = take(slowEvents, 1);
    const reading = (async () => {
      for await (const event of fast.events()) if (seen.push(placeOf(event)) === 40) return;
    })();
    for (let n = 0; n < 40; n += 1) {
      await streaming.write('one');
      await settle();
    }
    await reading;
    expect(seen).toEqual(revisionsFrom('one', 0, 40));
    expect((await first).map(placeOf)).toEqual(['one/0']);
    expect(slow.reason).toBe('too-slow');
    expect((await slowEvents.next()).done).toBe(true);
    const again = await streaming.open(slow.position);
    expect((await take(again.events(), 39)).map(placeOf)).toEqual(revisionsFrom('one', 1, 40));
    await streaming.hub.close();
  });

  it('is not cut off while it reads history', async () => {
    const streaming = new Streaming({ events: 5 });
    for (let n = 0; n < 100; n += 1) await streaming.write('one');
    const events = (await streaming.open()).events();
    const seen = (await take(events, 1)).map(placeOf);
    for (let n = 0; n < 100; n += 1) {
      await streaming.write('one');
      await settle();
    }
    seen.push(...(await take(events, 199)).map(placeOf));
    expect(seen).toEqual(revisionsFrom('one', 0, 200));
    await streaming.hub.close();
  });
});

describe('event hub', () => {
  it('limits the concurrent readers per tenant', async () => {
    const streaming = new Streaming({ readersMax: 2 });
    const opened = await Promise.allSettled([1, 2, 3].map(() => streaming.open()));
    const refused = opened.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toEqual([expect.objectContaining({ code: 'too-many-readers' })]);
    await streaming.open('start', { tenant: 'umbrella' });
    for (const one of opened) if (one.status === 'fulfilled') one.value.end('gone');
    await streaming.open();
    expect(streaming.hub.size).toBe(2);
    await streaming.hub.close();
  });

  it('rejects a position beyond the log', async () => {
    const streaming = new Streaming();
    await streaming.write('one');
    const opening = streaming.open(LogPosition(1_000_000n));
    await expect(opening).rejects.toMatchObject({ code: 'position-ahead' });
    await expect(opening).rejects.toBeInstanceOf(AppError);
  });

  it('resumes where it was when the log comes back', async () => {
    const streaming = new Streaming();
    const events = (await streaming.open('now')).events();
    const first = take(events, 1);
    await streaming.write('one');
    await first;
    const rest = take(events, 2);
    streaming.log.loseConnections();
    await streaming.write('one');
    await streaming.write('one');
    expect((await rest).map(placeOf)).toEqual(['one/1', 'one/2']);
    expect(streaming.problems).toHaveLength(1);
    await streaming.hub.close();
  });

  it('ends every reader with its position when it closes', async () => {
    const streaming = new Streaming();
    await streaming.write('one');
    const reader = await streaming.open();
    const events = reader.events();
    const [seen] = await take(events, 1);
    const waiting = take(events, 1);
    await streaming.hub.close();
    expect(await waiting).toEqual([]);
    expect(reader).toMatchObject({ reason: 'closing', position: seen?.position });
  });
});
