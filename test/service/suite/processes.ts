import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { type ProcessDeployment, ServiceProcess } from '@app/deployments';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { answerWith, Receiver } from '../../contract/webhooks/support/receiver.js';
import { EventStream } from '../support/event-stream.js';
import type { Caller, Service } from '../support/service.js';
import type { TraceCollector } from '../support/trace-collector.js';

type Health = {
  readonly status: string;
  readonly eventStore: string;
  readonly projections: readonly { readonly lag: number | null }[];
};
type Listening = { url(): Promise<string> };

const PARENT = '00f067aa0ba902b7';
const [TRACE, OTHER_TRACE] = ['4bf92f3577b34da6a3ce929d0e0e4736', '4bf92f3577b34da6a3ce929d0e0e4737'];
const COMPLETED = /^palimpsest_compactions_total\{trigger="threshold",outcome="completed"\} (\d+)$/m;
const PROJECTED = /^palimpsest_projected_events_total\{projection="audit_events"\} (\d+)$/m;

/** Guarantee: each role can run as a separate process, and another one takes over its unfinished work. */
export const processTests = (
  service: () => Service,
  deployment: () => ProcessDeployment,
  collector: () => TraceCollector | undefined,
): void =>
  describe('api and worker as separate processes', () => {
    let tenant: Caller;
    let standBy: ServiceProcess;
    beforeAll(async () => {
      tenant = await service().tenant('spread');
      standBy = ServiceProcess.start('api', { ...deployment().settings, PALIMPSEST_ROLES: 'api,projector' });
      await standBy.url();
    });
    afterAll(() => standBy.end());
    /** What a test leaves behind, also one that has timed out. */
    const left: (() => unknown)[] = [];
    afterEach(async () => {
      for (const end of left.splice(0)) await end();
    });

    const get = async (one: Listening, path: string, headers: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(`${await one.url()}${path}`, { headers });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const metric = async (one: Listening, line: RegExp): Promise<number> =>
      Number(line.exec((await get(one, '/metrics')).text)?.[1] ?? 0);
    const until = async (holds: (health: Health) => boolean): Promise<void> => {
      while (!holds(JSON.parse((await get(deployment().api, '/health')).text))) await pause(20);
    };
    const compacting = (words: string) =>
      Array.from({ length: 8 }, (_, at) => ({
        role: at % 2 === 0 ? 'user' : 'assistant',
        content: `${at} ${words.repeat(220)}`,
      }));
    /** Resolves when the projected list of sessions contains that name. */
    const listed = async (session: string): Promise<void> => {
      for (;;) {
        const { status, body } = await tenant.call('GET', '/v1/sessions?limit=1000');
        if (status !== 200) throw new Error(JSON.stringify(body));
        if ((body as { items: { session: string }[] }).items.some((item) => item.session === session)) return;
        await pause(20);
      }
    };

    it('connect a request, its command, its append, and the work of other processes in one trace', async () => {
      const traces = collector();
      const traced = (trace: string | undefined) => ({ traceparent: `00-${trace}-${PARENT}-01` });
      const opened = { session: 'traced', window: 4_000 };
      expect(await tenant.call('POST', '/v1/sessions', opened, traced(TRACE))).toMatchObject({ status: 201 });
      const path = ['append', 'OpenSession', 'POST /v1/sessions'];
      expect(await traces?.pathOf('append', TRACE ?? '')).toEqual(path);
      expect(await traces?.pathOf('project', TRACE ?? '')).toEqual(['project', ...path]);
      const root = traces?.spans.find((span) => span.traceId === TRACE && span.name === 'POST /v1/sessions');
      expect(root?.parentSpanId).toBe(PARENT);

      const body = { messages: compacting('quite private words '), stopReason: 'end_turn' };
      await tenant.call('POST', '/v1/sessions/traced/messages', body, traced(OTHER_TRACE));
      const summarized = await traces?.pathOf('summarize', OTHER_TRACE ?? '');
      expect(summarized?.slice(0, 3)).toEqual(['summarize', 'compact', 'append']);
      expect(summarized?.at(-1)).toBe('POST /v1/sessions/:session/messages');
      expect(traces?.text).not.toContain('private');
      expect([...(traces?.services ?? [])].sort()).toEqual(['palimpsest-api', 'palimpsest-worker']);
    });

    it('share the work: one records, one compacts, one of two projects', async () => {
      const { api, worker } = deployment();
      while ((await metric(worker, COMPLETED)) === 0) await pause(20);
      expect(await metric(worker, /^palimpsest_tokens_saved_total (\d+)$/m)).toBeGreaterThan(0);
      const calls = /^palimpsest_summarizer_duration_seconds_count\{[^}]*\} (\d+)$/m;
      expect(await metric(worker, calls)).toBeGreaterThan(0);
      expect(await metric(api, COMPLETED)).toBe(0);
      await listed('traced');
      const rates = await Promise.all([worker, standBy].map((one) => metric(one, PROJECTED)));
      expect(rates.filter((events) => events > 0)).toHaveLength(1);
    });

    it('identify themselves: text for users on stdout, JSON on stderr', async () => {
      const { api, worker } = deployment();
      expect(api.process.stdout).toContain(`Palimpsest is ready at ${await api.url()}\n`);
      expect(api.process.stdout).toContain(`${await api.url()}/docs`);
      expect(api.process.stdout).toContain('curl -X POST');
      expect(worker.process.stdout).toBe('');
      expect(await worker.process.line(({ event }) => event === 'ready')).toMatchObject({
        roles: ['compactor', 'projector', 'webhooks'],
      });
    });

    it('log one line per request, with ids and without content', async () => {
      const { api } = deployment();
      const messages = [{ role: 'user', content: 'a secret of mine' }];
      const given = { 'x-request-id': 'my-own-id' };
      const answer = await tenant.call('POST', '/v1/sessions/traced/messages', { messages }, given);
      expect(answer.headers.get('x-request-id')).toBe('my-own-id');
      expect(await api.process.line(({ request }) => request === 'my-own-id')).toMatchObject({
        level: 'info',
        event: 'request',
        method: 'POST',
        route: '/v1/sessions/:session/messages',
        status: 200,
        tenant: tenant.tenant,
        actor: expect.stringMatching(/^key:/),
        session: 'traced',
        durationMs: expect.any(Number),
      });
      const odd = await get(api, '/nowhere/a%20secret%20of%20mine', { 'x-request-id': 'has blanks' });
      expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      await api.process.line(({ request }) => request === odd.headers.get('x-request-id'));
      expect(JSON.stringify(api.lines)).not.toContain('secret of mine');
    });

    it('show metrics of every process to the local machine only, and a worker nothing else', async () => {
      const { worker } = deployment();
      expect(await get(worker, '/metrics', { forwarded: 'for=203.0.113.9' })).toMatchObject({ status: 403 });
      expect(await get(worker, '/v1/sessions')).toMatchObject({ status: 404 });
    });

    it('learn of a key that another process has issued or revoked, and end its streams', async () => {
      const issued = await tenant.call('POST', '/v1/keys', { role: 'agent' });
      const { key, keyId } = issued.body as { readonly key: string; readonly keyId: string };
      const answeredBy = async (one: Listening): Promise<number> =>
        (await get(one, '/v1/whoami', { authorization: `Bearer ${key}` })).status;
      while ((await answeredBy(standBy)) !== 200) await pause(20);
      const headers = { authorization: `Bearer ${key}` };
      const stream = await EventStream.open(`${await standBy.url()}/v1/stream`, headers);
      expect(stream.response.status).toBe(200);
      expect(await tenant.call('DELETE', `/v1/keys/${keyId}?reason=lost`)).toMatchObject({ status: 200 });
      expect(await answeredBy(deployment().api)).toBe(401);
      while ((await answeredBy(standBy)) !== 401) await pause(20);
      while (await stream.next());
    });

    it('have a standby: if one of two projectors is killed, the other takes over', async () => {
      await deployment().kill('worker', async () => {
        await tenant.call('POST', '/v1/sessions', { session: 'without-worker' });
        await listed('without-worker');
        expect(await metric(standBy, PROJECTED)).toBeGreaterThan(0);
      });
      await standBy.end('SIGKILL');
      await tenant.call('POST', '/v1/sessions', { session: 'without-stand-by' });
      await listed('without-stand-by');
    });

    it('replace a suspended worker in all of its work, and it overwrites nothing when it wakes', async () => {
      const { worker, settings } = deployment();
      const receiver = await Receiver.start();
      left.push(() => receiver.stop());
      const applied = await EventStream.open(`${service().deployment.url}/v1/stream?type=CompactionApplied`, {
        ...tenant.authorization,
      });
      const hook = { url: receiver.url, sessions: ['in-flight', 'afterwards'], types: ['SessionOpened'] };
      const { webhookId } = (await tenant.call('POST', '/v1/webhooks', hook)).body as { webhookId: string };
      const open = (session: string) => tenant.call('POST', '/v1/sessions', { session, window: 4_000 });
      const fill = (session: string) =>
        tenant.call('POST', `/v1/sessions/${session}/messages`, {
          messages: compacting('rather many words '),
          stopReason: 'end_turn',
        });
      const startedIn = async (session: string): Promise<number> => {
        const { body } = await tenant.call('GET', `/v1/sessions/${session}/events`);
        return String(body).split('"CompactionStarted"').length - 1;
      };
      let answerFirst = (): void => {};
      receiver.answering = (received, response) => {
        answerFirst = () => answerWith(500)(received, response);
      };
      // The worker holds every lease, and an attempt of a delivery is under way.
      await open('in-flight');
      await receiver.until((received) => received.length === 1);
      const other = ServiceProcess.start('worker', settings);
      left.push(
        () => worker.signal('SIGCONT'),
        () => other.end(),
        () => applied.leave(),
      );
      await other.url();
      worker.signal('SIGSTOP');
      receiver.answering = answerWith(204);
      // The event store gives requests to both workers in turn.
      const sessions = ['one', 'two', 'three', 'four'].map((name) => `suspended-${name}`);
      for (const session of sessions) {
        await open(session);
        await fill(session);
      }
      await receiver.until((received) => received.length === 2);
      expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id);
      const compacted = (await applied.take(sessions.length)).map(({ data }) => JSON.parse(data).session);
      expect(compacted.toSorted()).toEqual(sessions.toSorted());
      expect(await metric(other, COMPLETED)).toBe(sessions.length);
      await listed('suspended-four');

      answerFirst();
      worker.signal('SIGCONT');
      expect(await other.end()).toBe(0);
      await open('afterwards');
      await fill('afterwards');
      await receiver.until((received) => received.length === 3);
      await applied.take(1);
      await listed('afterwards');
      const path = `/v1/webhooks/${webhookId}/deliveries`;
      const { items } = (await tenant.call('GET', path)).body as { items: readonly object[] };
      expect(items).toMatchObject([
        { session: 'afterwards', state: 'delivered' },
        { session: 'in-flight', state: 'delivered', attempts: 1, lastOutcome: '204' },
      ]);
      expect(await Promise.all(sessions.map(startedIn))).toEqual(sessions.map(() => 1));
    });

    it('are not ready while the disk of the log is full, and ready again when it has space', async () => {
      const { api, eventStore, parts } = deployment();
      if (!parts.includes('event-store') || process.platform !== 'linux') return;
      // Limits the file size of one process, with the effect of a full disk.
      const limit = (bytes: string): Buffer =>
        execFileSync('prlimit', ['--pid', `${eventStore.pid}`, `--fsize=${bytes}:`]);
      const messages = [{ role: 'user', content: 'no room for this '.repeat(20_000) }];
      const append = () => tenant.call('POST', '/v1/sessions/full/messages', { messages });
      await tenant.call('POST', '/v1/sessions', { session: 'full', window: 900_000 });
      limit('4096');
      try {
        let refused = await append();
        while (refused.status === 200) refused = await append();
        const detail = 'the disk of the service is full and nothing was recorded: try again later';
        expect(refused).toMatchObject({ status: 507, body: { code: 'disk-full', detail } });
        await until(({ status, eventStore: log }) => status === 'unavailable' && log === 'full');
        const ready = await get(api, '/health/ready');
        expect(JSON.parse(ready.text)).toMatchObject({
          status: 503,
          code: 'event-store-unavailable',
          detail: expect.stringContaining('disk is full'),
        });
      } finally {
        limit('unlimited');
      }
      await until(({ status }) => status === 'ready');
      expect(await append()).toMatchObject({ status: 200 });
    });

    it('are not ready while the log is unavailable, and ready again when it is back', async () => {
      const { api, worker, parts } = deployment();
      if (!parts.includes('event-store')) return;
      await deployment().kill('event-store', async () => {
        await until(({ status, eventStore }) => status === 'unavailable' && eventStore === 'unavailable');
        const ready = await get(api, '/health/ready');
        expect(ready).toMatchObject({ status: 503 });
        expect(ready.headers.get('content-type')).toContain('application/problem+json');
        expect(JSON.parse(ready.text)).toMatchObject({ code: 'event-store-unavailable' });
        for (const { headers } of [ready, await get(api, '/health'), await get(worker, '/health/ready')])
          expect(headers.get('retry-after')).toBe('1');
        expect(await get(api, '/health/live')).toMatchObject({ status: 200 });
        expect(await get(worker, '/health/ready')).toMatchObject({ status: 503 });
        // No tenant learns the address of the log.
        const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
        const called = { ...asked, params: { name: 'context', arguments: { session: 'traced' } } };
        const read = { ...asked, method: 'resources/read', params: { uri: 'palimpsest://sessions/traced' } };
        for (const message of [called, read]) {
          const { body } = await tenant.call('POST', '/mcp', message);
          expect(JSON.stringify(body)).toContain('the event store does not answer: try again later');
          expect(JSON.stringify(body)).not.toContain('127.0.0.1');
        }
      });
      await until(({ status }) => status === 'ready');
      const open = () => tenant.call('POST', '/v1/sessions', { session: 'again' });
      let opened = await open();
      // A subscription that notices the loss late takes calls of the new connection with it; a client repeats them.
      while (opened.status === 503) opened = await open();
      expect(opened).toMatchObject({ status: 201 });
      await listed('again');
    });
  });
