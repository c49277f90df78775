import { Revision } from '@app/kernel';
import type { EventLog, Recorded } from '@app/ports';
import {
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  requestCompaction,
  sessionRef,
} from '@app/testing';
import fc from 'fast-check';
import { streamOf } from '../session-ref.js';
import { compactionsBackwards, forgetInMoments, Moment, pinnedReads } from './moment.js';

const ref = sessionRef();
const stream = streamOf(ref);

const allOf = async (events: AsyncIterable<Recorded>): Promise<readonly Recorded[]> => {
  const all: Recorded[] = [];
  for await (const one of events) all.push(one);
  return all;
};

describe('reads within a moment', () => {
  let log: EventLog;
  let [reads, newest] = [0, 0];
  beforeAll(async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref);
    await playTurns(application, ref, 0, 10);
    const { compactionId } = await requestCompaction(application, ref);
    await application.runner('worker').run(ref, compactionId, 'cause', new AbortController().signal);
    await playTurns(application, ref, 10, 12);
    newest = (await allOf(application.log.readForwards(stream))).length - 1;
    log = pinnedReads({
      append: () => Promise.reject(new Error('nothing is appended here')),
      readForwards: (...range) => {
        reads += 1;
        return application.log.readForwards(...range);
      },
      readBackwards: (...range) => {
        reads += 1;
        return application.log.readBackwards(...range);
      },
    });
  });

  it('equal those of a log that ends at its revision, and read the log once', async () => {
    const revision = newest - 3;
    const moment = new Moment({ stream, revision: Revision(revision) });
    const all = (await allOf(log.readForwards(stream))).slice(0, revision + 1);
    reads = 0;
    const place = fc.integer({ min: 0, max: newest + 2 });
    await fc.assert(
      fc.asyncProperty(
        fc.record({ from: place.map(Revision), limit: place }, { requiredKeys: [] }),
        async (range) => {
          const [from = 0, limit = all.length] = [range.from, range.limit];
          const forwards = await moment.run(() => allOf(log.readForwards(stream, range)));
          expect(forwards).toEqual(all.slice(from).slice(0, limit));
          const backwards = await moment.run(() => allOf(log.readBackwards(stream, range)));
          const upTo = all.slice(0, (range.from ?? revision) + 1);
          expect(backwards).toEqual([...upTo].reverse().slice(0, limit));
        },
      ),
    );
    expect(reads).toBe(1);
  });

  it('look for the events of compactions once, and find those that other reads find', async () => {
    const moment = new Moment({ stream, revision: Revision(newest) });
    const found = await allOf(compactionsBackwards(log, stream));
    const types = found.map(({ event }) => event.type);
    expect(found[0]?.revision).toBe(newest);
    expect(types).toEqual(expect.arrayContaining(['CompactionRequested', 'CompactionCompleted']));
    expect(types.filter((type) => type === 'MessageAppended').length).toBeLessThan(2);
    await moment.run(async () => {
      expect(await allOf(compactionsBackwards(log, stream))).toEqual(found);
      const first = moment.ofCompactions;
      await allOf(compactionsBackwards(log, stream));
      expect(moment.ofCompactions).toBe(first);
      forgetInMoments();
      expect(moment.ofCompactions).toBeUndefined();
    });
  });

  it('read the log anew once content may have been erased', async () => {
    const moment = new Moment({ stream, revision: Revision(newest) });
    reads = 0;
    await moment.run(async () => {
      await allOf(log.readForwards(stream));
      forgetInMoments();
      expect([moment.events, moment.isOutdated]).toEqual([undefined, true]);
      await allOf(log.readBackwards(stream));
    });
    expect(reads).toBe(2);
  });
});
