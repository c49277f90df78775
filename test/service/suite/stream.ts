import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { EventSourceMessage } from 'eventsource-parser';
import { EventStream } from '../support/event-stream.js';
import type { Caller, Service } from '../support/service.js';

const typesOf = (events: readonly EventSourceMessage[]) => events.map(({ event }) => event);
const dataOf = ({ data }: EventSourceMessage): { session: string; revision: number; position: string } =>
  JSON.parse(data);

export const streamTests = (service: () => Service): void =>
  describe('event stream', () => {
    let api: Caller;
    const open = (query = '', headers = {}) =>
      EventStream.open(`${api.url}/v1/stream${query}`, { ...api.authorization, ...headers });
    const begin = async (session: string, window = 50_000) => {
      await api.call('POST', '/v1/sessions', { session, window });
    };
    const say = async (session: string, content: string) => {
      await api.call('POST', `/v1/sessions/${session}/messages`, { messages: [{ role: 'user', content }] });
    };
    beforeAll(async () => {
      api = await service().tenant('stream');
    });

    it('sends recorded and new events, each with position, type and content', async () => {
      await begin('told');
      const stream = await open('?from=start&session=told');
      expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
      expect(stream.response.headers.get('x-content-type-options')).toBe('nosniff');
      await say('told', 'Hello there.');
      const [opened, appended] = await stream.take(2);
      expect([opened?.event, appended?.event]).toEqual(['SessionOpened', 'MessageAppended']);
      expect(JSON.parse(appended?.data ?? '')).toMatchObject({
        position: appended?.id,
        session: 'told',
        revision: 1,
        data: { message: { blocks: [{ type: 'text', text: 'Hello there.' }] } },
      });
      stream.leave();
    });

    it('resumes after any id, by header or parameter, and the header takes precedence', async () => {
      await begin('resumed');
      for (const text of ['one', 'two', 'three']) await say('resumed', text);
      const whole = await open('?from=start&session=resumed');
      const all = await whole.take(4);
      whole.leave();
      for (const [at, { id }] of all.slice(0, -1).entries()) {
        for (const resumed of [
          await open(`?session=resumed&after=${id}`),
          await open('?session=resumed&after=0', { 'last-event-id': id ?? '' }),
        ]) {
          expect(await resumed.take(3 - at)).toEqual(all.slice(at + 1));
          resumed.leave();
        }
      }
    });

    it('sends the requested types, without content if not wanted', async () => {
      await begin('filtered');
      await say('filtered', 'a secret');
      const stream = await open(
        '?from=start&session=filtered&type=MessageAppended&type=SessionClosed&content=none',
      );
      const [appended] = await stream.take(1);
      expect(typesOf(appended ? [appended] : [])).toEqual(['MessageAppended']);
      expect(appended?.data).not.toContain('secret');
      stream.leave();
    });

    it('ends at the current end of the log without follow', async () => {
      await begin('finite');
      const { status, body } = await api.call('GET', '/v1/stream?from=start&follow=false&session=finite');
      expect(status).toBe(200);
      expect(String(body).match(/^event: .*$/gm)).toEqual(['event: SessionOpened', 'event: stream-ended']);
      expect(body).toContain('"reason":"end-reached"');
      expect(await api.call('GET', '/v1/stream?follow=false&session=nobodys')).toMatchObject({ status: 200 });
    });

    it('sends heartbeats', async () => {
      const stream = await open();
      await stream.commented(3);
      expect(stream.comments.slice(1).join()).toContain('heartbeat');
      stream.leave();
    });

    it('rejects invalid parameters, a position beyond the log, and too many readers', async () => {
      expect(await api.call('GET', '/v1/stream?type=Nothing')).toMatchObject({ status: 400 });
      expect(await api.call('GET', '/v1/stream?after=x')).toMatchObject({ status: 400 });
      expect(
        await api.call('GET', '/v1/stream', undefined, { ...api.authorization, 'last-event-id': 'x' }),
      ).toMatchObject({ status: 400, body: { faults: [{ at: 'Last-Event-ID' }] } });
      expect(await api.call('GET', '/v1/stream?after=999999999999')).toMatchObject({
        status: 409,
        body: { code: 'position-ahead' },
      });
      expect(await api.call('GET', '/v1/stream', undefined, { authorization: 'Bearer wrong' })).toMatchObject(
        {
          status: 401,
        },
      );
      const streams: EventStream[] = [];
      for (;;) {
        const stream = await open();
        streams.push(stream);
        if (stream.response.status !== 200) break;
      }
      expect(streams.at(-1)?.response.status).toBe(429);
      expect(streams.length).toBeLessThanOrEqual(9);
      for (const stream of streams) stream.leave();
    });

    it('cuts off a reader that stalls, without delaying others, and resumes without loss', async () => {
      await begin('slow', 0);
      const large = 'so many words '.repeat(70_000);
      for (let n = 0; n < 12; n += 1) await say('slow', `${n}${large}`);
      const { hostname, port } = new URL(api.url);
      const stuck = connect(Number(port), hostname)
        .pause()
        .on('error', () => undefined);
      const head = `GET /v1/stream?from=start&session=slow&type=MessageAppended HTTP/1.1\r\nhost: x`;
      stuck.write(`${head}\r\nauthorization: ${api.authorization.authorization}\r\n\r\n`);
      const fast = await open('?from=start&session=slow&type=MessageAppended');
      const all = await fast.take(12);
      expect(all).toHaveLength(12);
      // Heartbeats measure time: the stalled reader has had four of them to read, and time for the last event.
      await fast.commented(25);
      fast.leave();
      let text = '';
      for await (const bytes of stuck) text += bytes;
      const ids = [...text.matchAll(/^id: (\d+)\nevent: MessageAppended/gm)].map(([, id]) => id);
      expect(ids.length).toBeLessThan(12);
      const place = ids.at(-2); // The last one may be incomplete.
      const again = await open(
        `?session=slow&type=MessageAppended&${place === undefined ? 'from=start' : `after=${place}`}`,
      );
      const missing = all.filter(({ id }) => place === undefined || BigInt(id ?? 0) > BigInt(place));
      expect(await again.take(missing.length)).toEqual(missing);
      again.leave();
    });

    it('sends every event of its tenant once, in order per session, to a reader that is cut off a hundred times', async () => {
      const own = await service().tenant('cut');
      const sessions = ['cut-a', 'cut-b'];
      const write = (by: Caller, session: string, content: string) =>
        by.call('POST', `/v1/sessions/${session}/messages`, { messages: [{ role: 'user', content }] });
      const read = (place: string | undefined) =>
        EventStream.open(
          `${own.url}/v1/stream?${place === undefined ? 'from=start' : `after=${place}`}`,
          own.authorization,
        );
      for (const by of [own, api])
        for (const session of sessions) await by.call('POST', '/v1/sessions', { session });
      const seen: EventSourceMessage[] = [];
      const writing: Promise<unknown>[] = [];
      let place: string | undefined;
      for (let cut = 0; cut < 100; cut += 1) {
        const session = sessions[(cut / 4) % 2];
        if (session)
          writing.push(write(own, session, `word ${cut}`), write(api, session, 'of another tenant'));
        const stream = await read(place);
        if (cut % 4 === 0 || cut < 2) {
          const event = await stream.next();
          if (event) seen.push(event);
          place = event?.id ?? place;
        }
        stream.leave();
      }
      await Promise.all(writing);
      const rest = await read(place);
      seen.push(...(await rest.take(27 - seen.length)));
      rest.leave();
      for (const session of sessions) {
        const revisions = seen.map(dataOf).filter((data) => data.session === session);
        expect(revisions.map(({ revision }) => revision)).toEqual(revisions.map((_, at) => at));
      }
      expect(new Set(seen.map(({ id }) => id)).size).toBe(27);
    });
  });
