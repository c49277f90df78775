import type { Streamed } from '@app/application';
import { placeOf, revisionsFrom, Streaming, take } from './support/streaming.js';

const READERS = 200;
const EVENTS = 200;

const written = async (): Promise<Streaming> => {
  const streaming = new Streaming({ readersMax: READERS });
  for (let n = 0; n < EVENTS; n += 1) await streaming.write('one');
  return streaming;
};

describe('concurrent readers from the start', () => {
  it('share one read of the log in bounded pages, and continue live', async () => {
    const streaming = await written();
    const read = async (): Promise<AsyncGenerator<Streamed>> => (await streaming.open()).events();
    const readers = await Promise.all(Array.from({ length: READERS }, read));
    const seen = await Promise.all(readers.map((events) => take(events, EVENTS)));
    expect(seen[0]?.map(placeOf)).toEqual(revisionsFrom('one', 0, EVENTS));
    // Identical objects, so that each event is serialized once.
    for (const events of seen) expect(events.every((event, at) => event === seen[0]?.[at])).toBe(true);
    const live = Promise.all(readers.map((events) => take(events, 1)));
    await streaming.write('one');
    for (const [event] of await live) expect(event && placeOf(event)).toBe(`one/${EVENTS}`);
    expect(streaming.subscriptions).toBe(1); // The hub's only.
    expect(streaming.pages).toBeLessThan(10);
    await streaming.hub.close();
  });

  it('share read pages at any pace without gaps or duplicates while the log grows', async () => {
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

  it('do not abort a shared read when they leave', async () => {
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
