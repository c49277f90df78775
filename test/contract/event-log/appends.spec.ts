import { Revision } from '@app/kernel';
import { ConflictError } from '@app/ports';
import { messageEvent, openedEvent, textMessage } from '@app/testing';
import { collect } from './support/collect.js';
import { asNew, context, LOGS, newStream, record, useLog } from './support/logs.js';

const said = (text: string) => messageEvent(textMessage(`msg-${text}`, text));

describe.each(LOGS)('appends to %s', (_, open) => {
  const current = useLog(open);

  it('assign revisions from 0, and return the newest', async () => {
    const stream = newStream();
    expect(await record(current(), stream, [openedEvent(), said('a')])).toBe(1);
    expect(await record(current(), stream, [said('b')], Revision(1))).toBe(2);
    const recorded = await collect(current().log.readForwards(stream));
    expect(recorded.map(({ revision }) => revision)).toEqual([0, 1, 2]);
    expect(recorded.map(({ event }) => event)).toEqual([openedEvent(), said('a'), said('b')]);
  });

  it('keep the id, time and metadata of each event', async () => {
    const stream = newStream();
    const news = asNew(openedEvent());
    const about = { ...context, causationId: 'the-cause', traceparent: '00-1-2-01' };
    await current().log.append(stream, 'no-stream', [news], about);
    const [recorded] = await collect(current().log.readForwards(stream));
    expect(recorded).toMatchObject({ id: news.id, stream, context: about });
    expect(Number.isNaN(Date.parse(recorded?.recordedAt ?? ''))).toBe(false);
  });

  it('are rejected with a stale revision, and record nothing', async () => {
    const stream = newStream();
    const newest = await record(current(), stream, [openedEvent(), said('a')]);
    await expect(record(current(), stream, [said('b')], Revision(0))).rejects.toThrow(ConflictError);
    await expect(record(current(), stream, [said('b')])).rejects.toThrow(ConflictError);
    await expect(record(current(), stream, [said('b')], Revision(newest + 1))).rejects.toThrow(ConflictError);
    expect(await collect(current().log.readForwards(stream))).toHaveLength(2);
  });

  it('are rejected if they continue a missing stream', async () => {
    await expect(record(current(), newStream(), [said('a')], Revision(0))).rejects.toThrow(ConflictError);
  });

  it('are idempotent for a repeated append, also after later events', async () => {
    const stream = newStream();
    const first = [asNew(openedEvent()), asNew(said('a'))];
    const append = () => current().log.append(stream, 'no-stream', first, context);
    expect(await append()).toBe(1);
    expect(await append()).toBe(1);
    const second = [asNew(said('b'))];
    await current().log.append(stream, Revision(1), second, context);
    await record(current(), stream, [said('c')], Revision(2));
    expect(await current().log.append(stream, Revision(1), second, context)).toBe(2);
    expect(await append()).toBe(1);
    expect(await collect(current().log.readForwards(stream))).toHaveLength(4);
  });

  it('are rejected with a conflict once reads show the event that caused it', async () => {
    const stream = newStream();
    const newest = async () =>
      (await collect(current().log.readBackwards(stream, { limit: 1 })))[0]?.revision;
    const race = async (name: string, after: Revision | undefined): Promise<void> => {
      const next = after === undefined ? openedEvent() : said(name);
      const lost = await record(current(), stream, [next], after).catch((error: unknown) => error);
      if (typeof lost === 'number') return;
      expect(lost).toBeInstanceOf(ConflictError);
      expect((await newest()) ?? -1).toBeGreaterThan(after ?? -1);
    };
    for (let round = 0; round < 15; round += 1) {
      const after = await newest();
      await Promise.all([1, 2, 3, 4].map((writer) => race(`${round}-${writer}`, after)));
    }
    expect(await newest()).toBe(14);
  });

  it('accept one of many concurrent writers, and all others get a conflict', async () => {
    const stream = newStream();
    const racing = Array.from({ length: 10 }, () => record(current(), stream, [openedEvent()]));
    const settled = await Promise.allSettled(racing);
    const lost = settled.filter((one) => one.status === 'rejected');
    expect(lost).toHaveLength(9);
    for (const { reason } of lost) expect(reason).toBeInstanceOf(ConflictError);
  });
});
