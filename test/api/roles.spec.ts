import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SpawnedEventStore, spawnEventStore } from '@app/embedded-event-store';
import { type SpawnedPostgres, spawnPostgres } from '@app/embedded-postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RoleProcess } from './support/role-process.js';
import { TraceCollector } from './support/trace-collector.js';

const KEY = 'pal_a_key_for_tests';

type Health = {
  readonly status: string;
  readonly eventStore: string;
  readonly postgres: string;
  readonly projections: readonly {
    readonly projection: string;
    readonly lag: number;
    readonly stopped: boolean;
  }[];
};

/** Guarantee: each role can be a process of its own, and what one leaves undone another one does. */
describe('api, compactor and projectors as processes of their own', () => {
  let folder: string;
  let log: SpawnedEventStore;
  let database: SpawnedPostgres;
  let api: RoleProcess;
  let compactor: RoleProcess;
  let projectors: RoleProcess[];
  let collector: TraceCollector;

  const settings = (roles: string) => ({
    PALIMPSEST_DATA: join(folder, 'unused'),
    PALIMPSEST_EVENTSTORE_URL: log.url,
    PALIMPSEST_POSTGRES_URL: database.url,
    PALIMPSEST_HTTP_PORT: '0',
    PALIMPSEST_OPERATIONS_PORT: '0',
    PALIMPSEST_API_KEY: KEY,
    PALIMPSEST_ROLES: roles,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
  const startLog = (port = 0) => spawnEventStore({ dataDir: join(folder, 'log'), port });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'roles-'));
    collector = await TraceCollector.start();
    log = await startLog();
    database = await spawnPostgres({ dataDir: join(folder, 'postgres') });
    const { PALIMPSEST_ROLES: _, ...rest } = settings('');
    api = RoleProcess.start('api', rest, ['--roles', 'api']);
    compactor = RoleProcess.start('worker', settings('compactor'));
    projectors = [
      RoleProcess.start('worker', settings('projector')),
      RoleProcess.start('api', settings('projector')),
    ];
    await Promise.all([api, compactor, ...projectors].map((one) => one.url()));
  });
  afterAll(async () => {
    for (const one of [api, compactor, ...projectors]) await one.end();
    await Promise.all([log.stop(), database.stop(), collector.stop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const get = async (one: RoleProcess, path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${await one.url()}${path}`, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const post = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${await api.url()}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const health = async (): Promise<Health> => JSON.parse((await get(api, '/health')).text);
  const until = async (holds: (health: Health) => boolean): Promise<Health> => {
    for (;;) {
      const now = await health();
      if (holds(now)) return now;
    }
  };
  const isProjected = ({ projections }: Health): boolean =>
    projections.length > 0 && projections.every(({ lag }) => lag === 0);
  const metric = async (one: RoleProcess, line: RegExp): Promise<number> =>
    Number(line.exec((await get(one, '/metrics')).text)?.[1] ?? 0);

  it('share the work: one records, one compacts, one projects', async () => {
    const message = (role: string, at: number) => ({
      role,
      content: `${at} ${'words and more words '.repeat(60)}`,
    });
    expect(await post('/v1/sessions', { session: 'long', window: 4_000 })).toMatchObject({ status: 201 });
    for (let turn = 0; turn < 12; turn += 1) {
      const messages = [message('user', turn), message('assistant', turn)];
      expect(await post('/v1/sessions/long/messages', { messages, stopReason: 'end_turn' })).toMatchObject({
        status: 200,
      });
    }
    const ended = /^palimpsest_compactions_total\{trigger="threshold",outcome="completed"\} (\d+)$/m;
    while ((await metric(compactor, ended)) === 0);
    expect(await metric(compactor, /^palimpsest_tokens_saved_total (\d+)$/m)).toBeGreaterThan(0);
    expect(
      await metric(compactor, /^palimpsest_summarizer_duration_seconds_count\{[^}]*\} (\d+)$/m),
    ).toBeGreaterThan(0);
    expect(await metric(api, ended)).toBe(0);
    await until(isProjected);
    const rates = await Promise.all(
      projectors.map((one) =>
        metric(one, /^palimpsest_projected_events_total\{projection="audit_events"\} (\d+)$/m),
      ),
    );
    expect(rates.filter((events) => events > 0)).toHaveLength(1);
  });

  it('make one trace of a request, its command, its append, and what other processes do about it', async () => {
    const parent = '00f067aa0ba902b7';
    const [trace, other] = ['4bf92f3577b34da6a3ce929d0e0e4736', '4bf92f3577b34da6a3ce929d0e0e4737'];
    const opened = await post(
      '/v1/sessions',
      { session: 'traced', window: 4_000 },
      { traceparent: `00-${trace}-${parent}-01` },
    );
    expect(opened.status).toBe(201);
    const path = ['append', 'OpenSession', 'POST /v1/sessions'];
    expect(await collector.pathOf('append', trace)).toEqual(path);
    expect(await collector.pathOf('project', trace)).toEqual(['project', ...path]);
    const root = collector.spans.find((span) => span.traceId === trace && span.name === 'POST /v1/sessions');
    expect(root?.parentSpanId).toBe(parent);

    const messages = ['user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user', 'assistant'].map(
      (role, at) => ({ role, content: `${at} ${'quite private words '.repeat(220)}` }),
    );
    await post(
      '/v1/sessions/traced/messages',
      { messages, stopReason: 'end_turn' },
      { traceparent: `00-${other}-${parent}-01` },
    );
    const summarized = await collector.pathOf('summarize', other);
    expect(summarized.slice(0, 3)).toEqual(['summarize', 'compact', 'append']);
    expect(summarized.at(-1)).toBe('POST /v1/sessions/:session/messages');
    expect(collector.text).not.toContain('private');
  });

  it('say who they are and where: people on stdout, programs on stderr', async () => {
    expect(api.stdout).toContain(`Palimpsest is ready at ${await api.url()}\n`);
    expect(api.stdout).toContain(`${await api.url()}/docs`);
    expect(api.stdout).toContain('curl -X POST');
    expect(compactor.stdout).toBe('');
    expect(await compactor.line(({ event }) => event === 'ready')).toMatchObject({ roles: ['compactor'] });
  });

  it('log one line for each request, with ids and without content', async () => {
    const given = { 'x-request-id': 'my-own-id' };
    const answer = await post(
      '/v1/sessions/long/messages',
      { messages: [{ role: 'user', content: 'a secret of mine' }] },
      given,
    );
    expect(answer.headers.get('x-request-id')).toBe('my-own-id');
    expect(await api.line(({ request }) => request === 'my-own-id')).toMatchObject({
      level: 'info',
      event: 'request',
      method: 'POST',
      route: '/v1/sessions/:session/messages',
      status: 200,
      tenant: 'default',
      actor: 'key:bootstrap',
      session: 'long',
      durationMs: expect.any(Number),
    });
    const odd = await get(api, '/nowhere/a%20secret%20of%20mine', { 'x-request-id': 'has blanks' });
    expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    await api.line(({ request }) => request === odd.headers.get('x-request-id'));
    expect(JSON.stringify(api.lines)).not.toContain('secret');
  });

  it('show metrics to this machine alone, and no tenant or session in them', async () => {
    expect((await get(api, '/metrics')).text).not.toMatch(/default|long|key:/);
    expect(await get(api, '/metrics', { 'x-forwarded-for': '203.0.113.9' })).toMatchObject({ status: 403 });
    expect(await get(compactor, '/metrics', { forwarded: 'for=203.0.113.9' })).toMatchObject({ status: 403 });
    expect(await get(compactor, '/v1/sessions')).toMatchObject({ status: 404 });
  });

  it('have a stand-by: when the projector is killed, another one takes over', async () => {
    const rate = (one: RoleProcess) =>
      metric(one, /^palimpsest_projected_events_total\{projection="audit_events"\} (\d+)$/m);
    const [first, second] = projectors;
    if (!first || !second) throw new Error('two projectors were started');
    const [active, standBy] = (await rate(first)) > 0 ? [first, second] : [second, first];
    const before = await until(isProjected);
    await active.end('SIGKILL');
    await post('/v1/sessions', { session: 'after' });
    const after = await until(
      (now) => isProjected(now) && JSON.stringify(now.projections) !== JSON.stringify(before.projections),
    );
    expect(after.status).toBe('ready');
    expect(await rate(standBy)).toBeGreaterThan(0);
  });

  it('say that they are not ready while the log is away, and are again when it is back', async () => {
    const port = Number(new URL(log.url).port);
    await log.stop();
    expect(await until(({ eventStore }) => eventStore !== 'ok')).toMatchObject({
      status: 'unavailable',
      eventStore: 'unavailable',
      postgres: 'ok',
    });
    const ready = await get(api, '/health/ready');
    expect(ready).toMatchObject({ status: 503 });
    expect(ready.headers.get('content-type')).toContain('application/problem+json');
    expect(JSON.parse(ready.text)).toMatchObject({ code: 'event-store-unavailable' });
    expect(await get(api, '/health/live')).toMatchObject({ status: 200 });
    expect(await get(compactor, '/health/ready')).toMatchObject({ status: 503 });

    log = await startLog(port);
    await until(({ status }) => status === 'ready');
    expect(await get(api, '/health/ready')).toMatchObject({ status: 200, text: '{"status":"ready"}' });
    expect(await post('/v1/sessions', { session: 'again' })).toMatchObject({ status: 201 });
    await until(isProjected);
  });
});
