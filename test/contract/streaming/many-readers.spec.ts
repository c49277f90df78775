import type { Streamed } from '@app/application';
import { placeOf, revisionsFrom, Streaming, take } from './support/streaming.js';

const READERS = 200;
const EVENTS = 200;

const written = async (): Promise<Streaming> => {
  const streaming = new Streaming({ readersMax: READERS });
  for (let n = 0; n < EVENTS; n += 1) await streaming.write('one');
  return streaming;
};

describe('readers that begin at once from the start', () => {
  it('read the log once between them, in pages that end by themselves, and go on live', async () => {
    const streaming = await written();
    const read = async (): Promise<AsyncGenerator<Streamed>> => (await streaming.open()).events();
    const readers = await Promise.all(Array.from({ length: READERS }, read));
    const seen = await Promise.all(readers.map((events) => take(events, EVENTS)));
    expect(seen[0]?.map(placeOf)).toEqual(revisionsFrom('one', 0, EVENTS));
    // The same events, and not only equal ones: so that each is made into bytes once.
    for (const events of seen) expect(events.every((event, at) => event === seen[0]?.[at])).toBe(true);
    const live = Promise.all(readers.map((events) => take(events, 1)));
    await streaming.write('one');
    for (const [event] of await live) expect(event && placeOf(event)).toBe(`one/${EVENTS}`);
    expect(streaming.subscriptions).toBe(1); // The hub's, for all of them.
    expect(streaming.pages).toBeLessThan(10);
    await streaming.hub.close();
  });

  it('share what has been read at whatever pace they take it, without gap or double, while the log grows', async () => {
    const streaming = await written();
    const readers = await Promise.all(Array.from({ length: READERS / 10 }, () => streaming.open()));
    const seen = readers.map((): string[] => []);
    const streams = readers.map((reader) => reader.events());
    for (let round = 0; round < 10; round += 1) {
      await streaming.write('two');
      await Promise.all(
        streams.map(async (events, at) => {
          const some = await take(events, at % 7 === 0 ? 21 : 1 + at);
          seen[at]?.push(...some.map(placeOf));
        }),
      );
    }
    const all = [...revisionsFrom('one', 0, EVENTS), ...revisionsFrom('two', 0, 10)];
    for (const places of seen) expect(places).toEqual(all.slice(0, places.length));
    expect(streaming.subscriptions).toBe(1);
    await streaming.hub.close();
  });

  it('leave a read that others wait for when they go', async () => {
    const streaming = await written();
    const [gone, staying] = [await streaming.open(), await streaming.open()];
    const stayingEvents = staying.events();
    const rest = take(stayingEvents, EVENTS);
    const left = take(gone.events(), 1);
    gone.end('gone');
    expect((await rest).map(placeOf)).toEqual(revisionsFrom('one', 0, EVENTS));
    expect(await left).toEqual([]);
    expect(streaming.problems).toEqual([]);
    await streaming.hub.close();
  });
});
