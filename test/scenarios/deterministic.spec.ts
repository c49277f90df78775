import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { SessionEvent } from '@app/domain';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RECORDED_FILES } from '../support/recorded-files.js';
import { conversations } from '../support/unseen/conversations.js';
import { WRITERS } from '../support/unseen/write.js';
import { HERE, THERE } from './support/machine.js';
import { type Input, play, replay } from './support/playing.js';

/** The number of newest compactions that are repeated on the other machine. */
const AGAIN = 4;

const completedIn = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'CompactionCompleted' ? [event.data] : []));

/** Removes fields that legitimately depend on the machine: worker, time and duration. */
const withoutWorker = ({
  worker: _,
  completedAt: __,
  durationMs: ___,
  ...facts
}: ReturnType<typeof completedIn>[number]) => facts;

const expectSame = async (input: Input): Promise<number> => {
  const here = await play(HERE, input);
  const there = await play(THERE, input);
  const [factsHere, factsThere] = [here, there].map((played) =>
    JSON.stringify(completedIn(played.events).map(withoutWorker)),
  );
  expect(factsThere).toBe(factsHere);
  expect(there.contexts).toEqual(here.contexts);

  const requests = here.events.flatMap((event, at) =>
    event.type === 'CompactionRequested' && event.data.trigger !== 'imported' ? [at] : [],
  );
  for (const at of requests.slice(-AGAIN)) {
    const again = await replay(THERE, here, at);
    const request = here.events[at];
    const id = request?.type === 'CompactionRequested' ? request.data.compactionId : undefined;
    const of = (events: readonly SessionEvent[]) =>
      completedIn(events)
        .filter(({ compactionId }) => compactionId === id)
        .map(withoutWorker);
    expect(JSON.stringify(of(again.events))).toBe(JSON.stringify(of(here.events)));
    if (at === requests.at(-1)) expect(again.contexts).toEqual(here.contexts);
  }
  return completedIn(here.events).length;
};

/**
 * Guarantee: results of the deterministic profile depend on the session only: two machines with other workers,
 * clocks, time zones and languages produce the same summaries and requests, byte for byte.
 */
describe('scenario 6: the same session compacted on two machines', () => {
  // Holds rule 6.3.
  it('gives the same bytes for any session', async () => {
    let compactions = 0;
    await fc.assert(
      fc.asyncProperty(conversations(40, 80), async (said) => {
        const text = WRITERS['anthropic-messages']?.(said, 'some') ?? '';
        compactions += await expectSame({
          name: 'some.json',
          bytes: new TextEncoder().encode(text),
          window: 2_500,
        });
      }),
      { numRuns: 12, seed: 20_261_121 },
    );
    expect(compactions).toBeGreaterThan(12);
  });

  (RECORDED_FILES.length > 0
    ? it.each(RECORDED_FILES.map((file) => ({ file, name: basename(file) })))
    : it.skip.each([]))('gives the same bytes for a recorded one: $name', async ({ file, name }) => {
    const compactions = await expectSame({
      name,
      bytes: new Uint8Array(readFileSync(file)),
      window: 8_000,
    });
    expect(compactions).toBeGreaterThan(0);
  });
});
