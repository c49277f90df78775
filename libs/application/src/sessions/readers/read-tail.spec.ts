import { evolve, fold, initialState, type Placed, pivotFactsOf, rebuild } from '@app/domain';
import { Revision } from '@app/kernel';
import type { EventLog } from '@app/ports';
import {
  type Application,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  requestCompaction,
  sessionRef,
} from '@app/testing';

import { streamOf } from '../session-ref.js';
import { readTail } from './read-tail.js';

const ref = sessionRef();
const never = new AbortController().signal;

const compact = async (application: Application): Promise<void> => {
  const { compactionId } = await requestCompaction(application, ref);
  await application.runner('worker').run(ref, compactionId, 'cause', never);
};
const allOf = async (log: EventLog): Promise<Placed[]> => {
  const all: Placed[] = [];
  for await (const recorded of log.readForwards(streamOf(ref))) all.push(recorded);
  return all;
};

describe('reading the tail of a session', () => {
  it('equals a fold of the whole stream as of every revision', async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref);
    for (const turns of [0, 10, 20, 25]) {
      await playTurns(application, ref, turns, turns + 10);
      await compact(application);
    }
    const all = await allOf(application.log);
    let whole = initialState as Parameters<typeof evolve>[0];
    for (const placed of all) {
      whole = evolve(whole, placed);
      const { tail, revision } = await readTail(application.log, streamOf(ref), { asOf: placed.revision });
      expect(revision).toBe(placed.revision);
      expect(rebuild(tail)).toEqual(whole);
    }
    expect(fold(initialState, all)).toEqual(whole);
    expect(whole).toMatchObject({ compactions: 4 });
  });

  // Holds rule 8.10.
  it('reads no further than the page of the cut, however long the session is', async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref, { window: 0 });
    await playTurns(application, ref, 0, 400);
    await compact(application);
    const { tail, eventsRead, revision } = await readTail(application.log, streamOf(ref));
    expect(revision).toBeGreaterThan(1_200);
    expect(tail.pivot?.before.length).toBeLessThan(20);
    expect(eventsRead).toBe(256);
  });

  it.each([100, 200, 300])('reads further pages to a distant cut: %d turns', async (turns) => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref, { window: 0 });
    await playTurns(application, ref, 0, 20);
    await compact(application);
    await playTurns(application, ref, 20, 20 + turns);
    const { tail, eventsRead } = await readTail(application.log, streamOf(ref));
    const cut = (tail.pivot && pivotFactsOf(tail.pivot.event).cut?.revision) ?? Number.NaN;
    const newest = (await allOf(application.log)).length - 1;
    expect(eventsRead).toBeLessThanOrEqual(newest - cut + 1 + 256);
    expect(rebuild(tail)).toEqual(fold(initialState, await allOf(application.log)));
  });

  it('reads nothing of an unknown session', async () => {
    const { log } = openMemoryLog();
    expect(await readTail(log, streamOf(ref))).toEqual({
      tail: { pivot: undefined, after: [] },
      revision: undefined,
      eventsRead: 0,
    });
    expect((await readTail(log, streamOf(ref), { asOf: Revision(7) })).eventsRead).toBe(0);
  });
});
