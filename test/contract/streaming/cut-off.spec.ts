import { setImmediate as yieldToLoop } from 'node:timers/promises';
import fc from 'fast-check';
import { placeOf, Streaming } from './support/streaming.js';

const CUTS = 100;

/** Guarantee: a reader that is cut off repeatedly receives each event of its tenant once, in order per session. */
it('delivers every event once to a reader that is cut off a hundred times', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(6), { minLength: CUTS, maxLength: CUTS }),
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean(), fc.nat(2)), {
        minLength: 300,
        maxLength: 300,
      }),
      fc.integer({ min: 1, max: 20 }),
      async (cuts, writes, held) => {
        const streaming = new Streaming({ events: held });
        const expected = writes.filter(([, isOurs]) => isOurs).length;
        const writing = (async () => {
          for (const [session, isOurs, pauses] of writes) {
            await streaming.write(session, isOurs ? 'acme' : 'umbrella');
            for (let pause = 0; pause < pauses; pause += 1) await yieldToLoop();
          }
        })();
        const seen: string[] = [];
        const reading = (async () => {
          let place: Parameters<Streaming['open']>[0] = 'start';
          for (let cut = 0; ; cut += 1) {
            const reader = await streaming.open(place);
            let remaining = cuts[cut] ?? Number.POSITIVE_INFINITY;
            for await (const event of reader.events()) {
              seen.push(placeOf(event));
              if (seen.length === expected || --remaining <= 0) break;
              if (seen.length % 7 === 0) for (let wait = 0; wait < 8; wait += 1) await yieldToLoop();
            }
            place = reader.position;
            if (seen.length === expected) return;
          }
        })();
        await writing;
        while (seen.length < expected) {
          await Promise.race([reading, yieldToLoop()]);
        }
        expect(new Set(seen).size).toBe(expected);
        for (const session of ['a', 'b', 'c']) {
          const own = seen.filter((place) => place.startsWith(session));
          expect(own).toEqual(own.map((_, at) => `${session}/${at}`));
        }
        await streaming.hub.close();
      },
    ),
    { numRuns: 20 },
  );
});
