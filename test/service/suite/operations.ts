import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { EventStream } from '../support/event-stream.js';
import type { Caller, Service } from '../support/service.js';

type Health = {
  readonly status: string;
  readonly eventStore: string;
  readonly postgres: string;
  readonly projections: readonly { readonly projection: string; readonly lag: number | null }[];
};

/** Health and metrics for operators. */
export const operationsTests = (service: () => Service): void =>
  describe('running service', () => {
    const get = (path: string, headers = {}) => service().operator.call('GET', path, undefined, headers);

    it('reports that it is alive and ready, and when every row is up to date', async () => {
      expect(await get('/health/live', { authorization: '' })).toMatchObject({ status: 200 });
      expect(await get('/health/ready')).toMatchObject({ status: 200, body: { status: 'ready' } });
      for (;;) {
        const health = (await get('/health')).body as Health;
        expect(health).toMatchObject({ status: 'ready', eventStore: 'ok', postgres: 'ok' });
        if (health.projections.every(({ lag }) => lag === 0)) break;
        await pause(20);
      }
    });

    it('counts its work without names, and shows metrics to the local machine only', async () => {
      const api = await service().tenant('counted');
      await api.call('POST', '/v1/sessions', { session: 'counted-session' });
      const { body } = await get('/metrics');
      expect(body).toMatch(/^palimpsest_\w+\{.*route="\/v1\/sessions".*status="2xx".*\} [1-9]/m);
      const described = String(body).match(/^# TYPE \S+/gm) ?? [];
      expect(new Set(described).size).toBe(described.length); // Those of two processes together.
      expect(body).not.toMatch(new RegExp(`${api.tenant}|counted-session|key:`));
      expect(await get('/metrics', { 'x-forwarded-for': '203.0.113.9' })).toMatchObject({ status: 403 });
    });
  });

/** Returns the session of a request of Anthropic's client through the gateway. */
const asClient = async (api: Caller, ...said: readonly string[]): Promise<string | null> => {
  const messages = said.map((content, at) => ({ role: at % 2 ? 'assistant' : 'user', content }));
  const body = { model: 'claude-opus-4-6', max_tokens: 50, messages };
  const keys = { 'x-palimpsest-key': api.key, authorization: 'Bearer of-the-provider' };
  const headers = { ...keys, 'anthropic-version': '2023-06-01' };
  const answered = await api.call('POST', '/gateway/anthropic/v1/messages', body, headers);
  expect(answered.body).toMatchObject({ content: [{ type: 'text', text: 'ok' }] });
  return answered.headers.get('x-palimpsest-session');
};

/** Guarantee: acknowledged requests survive a crash, and stream readers miss and duplicate nothing. */
export const crashTests = (service: () => Service): void =>
  describe('service after a crash', () => {
    it('has acknowledged requests, repeats answers under the same key, and streams and gateway clients continue', async () => {
      const { deployment } = service();
      const api = await service().tenant('crashed');
      const say = (content: string) =>
        api.call(
          'POST',
          '/v1/sessions/kept/messages',
          { messages: [{ role: 'user', content }] },
          { 'idempotency-key': content },
        );
      await api.call('POST', '/v1/sessions', { session: 'kept' });
      const before = await say('before');
      const agent = await service().tenant('crashed_agent');
      const clients = await asClient(agent, 'Before?');
      const stream = await EventStream.open(`${api.url}/v1/stream?from=start`, api.authorization);
      const [, told] = await stream.take(2);
      await deployment.kill('api');
      stream.leave();
      const again = await say('before');
      expect(again).toMatchObject({ status: 200, body: before.body as object });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await asClient(agent, 'Before?', 'ok', 'After?')).toBe(clients);
      expect(await say('after')).toMatchObject({ status: 200, body: { messages: 2 } });
      const next = await EventStream.open(`${api.url}/v1/stream`, {
        ...api.authorization,
        'last-event-id': told?.id ?? '',
      });
      const [event] = await next.take(1);
      expect(event?.data).toContain('after');
      next.leave();
    });
  });

/** Runs last: pending requests are told to stop, and every process exits cleanly. */
export const shutdownTests = (service: () => Service): void =>
  describe('service at shutdown', () => {
    it('sends stream readers their position, and exits with 0', async () => {
      const api = await service().tenant('ending');
      await api.call('POST', '/v1/sessions', { session: 'last' });
      const stream = await EventStream.open(`${api.url}/v1/stream?from=start`, api.authorization);
      const [opened] = await stream.take(1);
      const codes = await service().deployment.stop();
      expect(codes.filter((code) => code !== 0)).toEqual([]);
      const end = await stream.next();
      expect(end?.event).toBe('stream-ended');
      const { reason, position } = JSON.parse(end?.data ?? '{}');
      expect(reason).toBe('closing');
      expect(BigInt(position) >= BigInt(opened?.id ?? 0)).toBe(true);
      expect(await stream.next()).toBeUndefined();
    });
  });
