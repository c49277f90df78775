import { request } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Caller, Service } from '../support/service.js';

type Operation = { readonly parameters?: readonly { readonly $ref?: string }[]; readonly summary?: string };

/** Returns the status for a body of this announced length, before it is sent. */
const answerToAnnounced = ({ url, authorization }: Caller, length: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = {
      ...authorization,
      'content-type': 'application/json',
      'content-length': length,
    };
    const sent = request(`${url}/v1/sessions`, { method: 'POST', headers }, ({ statusCode }) => {
      resolve(statusCode);
      sent.destroy();
    });
    sent.on('error', reject);
    sent.write('{');
  });

/** Guarantee: a request is executed once, and only on the revision that the caller has read. */
export const conditionTests = (service: () => Service): void =>
  describe('conditional request', () => {
    let api: Caller;
    beforeAll(async () => {
      api = await service().tenant('conditions');
      await api.call('POST', '/v1/sessions', { session: 'one', window: 20_000 });
    });

    const say = (content: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
      api.call('POST', '/v1/sessions/one/messages', { messages: [{ role: 'user', content }] }, headers);
    const key = (name: string) => ({ 'idempotency-key': name });
    const show = (headers = {}) => api.call('GET', '/v1/sessions/one', undefined, headers);

    describe('on a revision', () => {
      it('is executed on that revision only; the answer has the next one', async () => {
        const { headers, body } = await show();
        const etag = headers.get('etag') ?? '';
        expect(etag).toBe(`"${(body as { revision: number }).revision}"`);
        const written = await say('first', { 'if-match': etag });
        expect(written.status).toBe(200);
        expect((await show()).headers.get('etag')).toBe(written.headers.get('etag'));
        expect(await say('late', { 'if-match': etag })).toMatchObject({
          status: 412,
          body: { code: 'revision-mismatch' },
        });
        expect(await say('odd', { 'if-match': 'three' })).toMatchObject({ status: 400 });
        expect(await say('any', { 'if-match': '*' })).toMatchObject({ status: 200 });
        const nobody = { messages: [{ role: 'user', content: 'x' }] };
        expect(
          await api.call('POST', '/v1/sessions/nobody/messages', nobody, { 'if-match': '"3"' }),
        ).toMatchObject({ status: 404 });
      });

      it('appends only behind the message that it names, once if repeated', async () => {
        await api.call('POST', '/v1/sessions', { session: 'behind', window: 20_000 });
        const append = (after: string | null, ...ids: readonly string[]): Promise<Answer> =>
          api.call('POST', '/v1/sessions/behind/messages', {
            after,
            messages: ids.map((id) => ({ id, role: 'user', content: id })),
          });
        for (const [after, ids, appended] of [
          [null, ['a'], 1],
          ['a', ['b'], 1],
          ['a', ['b'], 0],
          ['a', ['b', 'c'], 1],
          [null, ['a', 'b', 'c'], 0],
        ] as const)
          expect(await append(after, ...ids)).toMatchObject({ status: 200, body: { appended } });
        for (const [after, ids] of [
          ['a', ['x']],
          [null, ['x']],
          ['absent', ['x']],
          ['b', ['x', 'c']],
        ] as const)
          expect(await append(after, ...ids)).toMatchObject({
            status: 412,
            body: { code: 'revision-mismatch' },
          });
        const both = await Promise.all(['d', 'e'].map((id) => append('c', id)));
        expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
      });

      it.each([
        ['in one append', 'short '],
        ['in several', 'long '.repeat(300_000)],
      ])('knows repeated messages without IDs behind it, %s', async (way, text) => {
        const session = way.replaceAll(' ', '-');
        const path = `/v1/sessions/${session}/messages`;
        await api.call('POST', '/v1/sessions', { session, window: 2_000_000 });
        await api.call('POST', path, { messages: [{ id: 'first', role: 'user', content: 'first' }] });
        const messages = [1, 2, 3, 4].map((part) => ({ role: 'user', content: `${part} ${text}` }));
        for (const appended of [4, 0])
          expect(await api.call('POST', path, { after: 'first', messages })).toMatchObject({
            ...{ status: 200, body: { appended } },
          });
        for (const after of ['absent', null])
          expect(await api.call('POST', path, { after, messages })).toMatchObject({ status: 412 });
      });

      it('omits the answer if the caller has it', async () => {
        const etag = (await show()).headers.get('etag') ?? '';
        const known = await show({ 'if-none-match': etag });
        expect(known).toMatchObject({ status: 304, body: '' });
        expect(known.headers.get('etag')).toBe(etag);
        expect(await show({ 'if-none-match': '"0"' })).toMatchObject({ status: 200 });
        const context = await api.call('GET', '/v1/sessions/one/context?asOf=0');
        expect(context.headers.get('etag')).toBe('"0"');
      });
    });

    describe('with an Idempotency-Key', () => {
      it('is executed once, and answered in the same bytes', async () => {
        const first = await say('hello', key('k1'));
        const again = await say('hello', key('k1'));
        expect(again).toMatchObject({ status: first.status, body: first.body as object });
        expect(again.headers.get('idempotency-replayed')).toBe('true');
        expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
        expect(first.headers.get('idempotency-replayed')).toBeNull();
        const opened = [1, 2].map(() => api.call('POST', '/v1/sessions', { session: 'twice' }, key('open')));
        for (const { status, body } of await Promise.all(opened)) {
          if (status !== 201) expect(body).toMatchObject({ code: 'request-in-progress' });
        }
      });

      it('is rejected if the key belongs to another request', async () => {
        await say('this', key('k2'));
        expect(await say('that', key('k2'))).toMatchObject({
          status: 422,
          body: { code: 'idempotency-key-reused' },
        });
        expect(await say('this', key('no blanks'))).toMatchObject({ status: 400 });
      });

      it('repeats a rejection, and releases the key of an invalid request', async () => {
        const unpin = () => api.call('DELETE', '/v1/sessions/one/pins/none', undefined, key('k3'));
        const first = await unpin();
        expect(first).toMatchObject({ status: 404, body: { code: 'pin-not-found' } });
        const again = await unpin();
        expect(again).toMatchObject({ status: 404, body: first.body as object });
        expect(again.headers.get('idempotency-replayed')).toBe('true');
        expect(again.headers.get('content-type')).toContain('application/problem+json');
        expect(await say(7, key('k4'))).toMatchObject({ status: 400 });
        expect(await say('better', key('k4'))).toMatchObject({ status: 200 });
      });

      it('is supported by every endpoint that writes', async () => {
        const { body } = await api.call('GET', '/openapi.json');
        const { paths } = body as { paths: Record<string, Record<string, Operation>> };
        const operations = Object.entries(paths).flatMap(([path, methods]) =>
          Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
        );
        // The gateway identifies requests by their messages: providers have no such header.
        const own = operations.filter(({ path }) => path.startsWith('/v1/'));
        const bare = own.filter(
          ({ method, parameters = [] }) =>
            method !== 'get' && !parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')),
        );
        // Queries by POST, which change nothing, and sign-in, which records nothing.
        expect(bare.map(({ path }) => path).sort()).toEqual([
          '/v1/log/verification',
          '/v1/sessions/{session}/plan',
          '/v1/sessions/{session}/recall',
          '/v1/sessions/{session}/what-if',
          '/v1/sign-in',
          '/v1/sign-out',
          '/v1/webhooks/{webhook}/test',
        ]);
        expect(operations.filter(({ summary }) => !summary?.endsWith('.'))).toEqual([]);
      });
    });

    describe('above a limit', () => {
      it('is rejected with its fault', async () => {
        const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
        expect(await api.call('POST', '/v1/sessions/one/messages', nested)).toMatchObject({
          status: 400,
          body: { faults: [{ at: 'body', problem: 'it is nested deeper than 500 levels' }] },
        });
        const messages = Array.from({ length: 1_001 }, () => ({ role: 'user', content: 'x' }));
        expect(await api.call('POST', '/v1/sessions/one/messages', { messages })).toMatchObject({
          status: 400,
          body: { faults: [{ at: 'messages' }] },
        });
        expect(await say('x'.repeat(9_000_000))).toMatchObject({
          status: 400,
          body: { faults: [{ at: 'messages.0' }] },
        });
        expect(await answerToAnnounced(api, 17_000_000)).toBe(413);
      });
    });
  });
