/**
 * How the service scales: appends of two messages by sixteen agents with 1, 2 and 4 API and worker processes on one log;
 * with 1 to 10,000 open sessions; with 1 to 1,000 tenants; one agent in sessions of 1,000 to 1,000,000 events; and the
 * delay of an event to 1 to 1,000 stream readers. The processes share the machine with their servers and the clients: more
 * of them than cores only share the time of these. One session takes appends one after the other, so that its agents
 * wait for each other. The curves of sessions, tenants and events are flat where the state of a session is in the cache;
 * beyond the cache an append reads the session again. A reader costs its share of one process' time for each event.
 */
import 'reflect-metadata';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceProcess, startInProcesses } from '@app/deployments';
import { HttpCaller } from './support/http/http-caller.js';
import { readInvocation } from './support/invocation.js';
import { fanOut } from './support/load/fan-out.js';
import { ADMIN_KEY, Service } from './support/load/service.js';
import { fixed, note, report, whole } from './support/report.js';
import { millisecondsOf, quantile } from './support/rounds.js';
import { AGENTS, appendRound, openSession, type Point, type Target } from './support/scaling/append-round.js';
import { prose } from './support/sessions/texts.js';

const { quick, folder } = readInvocation();
const PROCESSES = quick ? [1, 2] : [1, 2, 4];
const SESSIONS = quick ? [1, 16, 1_000] : [1, 16, 1_000, 10_000];
const TENANTS = quick ? [1, 16, 100] : [1, 16, 100, 1_000];
const EVENTS = quick ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000];
const READERS = quick ? [1, 10, 100] : [1, 10, 100, 1_000];
const ROUND = quick ? { appends: 2_000, warmUps: 2_000 } : { appends: 10_000, warmUps: 5_000 };
/** Requests of one agent for each point of the curve of events. */
const TURNS = quick ? 100 : 300;
/** Messages of an append that makes a session long. */
const AT_ONCE = 200;
/** Contexts stay small: they are as large at the end as at the beginning. */
const WINDOW = 32_000;

const COLUMNS = ['appends a second', 'p50, ms', 'p99, ms', 'CPU of the API for one, ms'];
const cellsOf = ({ perSecond, p50Ms, p99Ms, cpuMs }: Point): readonly string[] => [
  whole(perSecond),
  fixed(p50Ms, 1),
  fixed(p99Ms, 1),
  fixed(cpuMs),
];

const withService = async <Result>(
  name: string,
  work: (service: Service) => Promise<Result>,
): Promise<Result> => {
  const service = await Service.start(join(folder, name));
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
};

const measureProcesses = async (): Promise<void> => {
  const deployment = await startInProcesses();
  const more: ServiceProcess[] = [];
  const rows: (readonly string[])[] = [];
  try {
    const apis = [{ url: deployment.url, pid: deployment.api.process.pid }];
    for (const count of PROCESSES) {
      while (apis.length < count) {
        const api = ServiceProcess.start('api', deployment.settings, ['--roles', 'api']);
        const worker = ServiceProcess.start('worker', deployment.settings);
        more.push(api, worker);
        apis.push({ url: await api.url(), pid: api.pid });
        await worker.url();
      }
      const targets: Target[] = [];
      for (let at = 0; at < AGENTS; at += 1) {
        const url = apis[at % apis.length]?.url ?? '';
        targets.push({ caller: new HttpCaller(url, deployment.adminKey), session: `p-${count}-${at}` });
      }
      for (const target of targets) await openSession(target);
      const point = await appendRound(
        targets,
        apis.map(({ pid }) => pid),
        { ...ROUND, warmUps: ROUND.warmUps * count }, // Each process compiles its code.
      );
      for (const { caller } of targets) caller.close();
      rows.push([whole(count), ...cellsOf(point)]);
      note(`${count} processes: ${whole(point.perSecond)} appends a second`);
    }
  } finally {
    await Promise.all(more.map((one) => one.end()));
    await deployment.stop();
  }
  report('scaling: API and worker processes on one log', ['processes of each kind', ...COLUMNS], rows);
};

const measureSessions = (): Promise<void> =>
  withService('sessions', async (service) => {
    const caller = new HttpCaller(service.url, ADMIN_KEY);
    const rows: (readonly string[])[] = [];
    for (const count of SESSIONS) {
      // Sessions of their own: those of the point before are long by now.
      const targets = Array.from({ length: count }, (_, at) => ({ caller, session: `s-${count}-${at}` }));
      for (const target of targets) await openSession(target);
      const point = await appendRound(targets, [service.pid], ROUND);
      rows.push([whole(count), ...cellsOf(point)]);
      note(`${count} sessions: ${whole(point.perSecond)} appends a second`);
    }
    caller.close();
    report('scaling: open sessions', ['sessions', ...COLUMNS], rows);
  });

const measureTenants = (): Promise<void> =>
  withService('tenants', async (service) => {
    const targets: Target[] = [];
    const rows: (readonly string[])[] = [];
    for (const count of TENANTS) {
      while (targets.length < count) {
        const tenant = `scaling_${targets.length}`;
        const { key } = await service.admin.keys.registerTenant({ tenant, name: tenant });
        const limits = { requestsPerSecond: 10_000, requestsPerMinute: 300_000 };
        await service.clientOf(key).keys.changeLimits(limits);
        const target = { caller: new HttpCaller(service.url, key), session: 's' };
        await openSession(target);
        targets.push(target);
      }
      const point = await appendRound(targets, [service.pid], ROUND);
      rows.push([whole(count), ...cellsOf(point)]);
      note(`${count} tenants: ${whole(point.perSecond)} appends a second`);
    }
    for (const { caller } of targets) caller.close();
    report('scaling: tenants', ['tenants', ...COLUMNS], rows);
  });

const measureEvents = (): Promise<void> =>
  withService('events', async (service) => {
    const caller = new HttpCaller(service.url, ADMIN_KEY);
    const rows: (readonly string[])[] = [];
    let at = 0;
    const next = (characters: number) => {
      at += 1;
      return { role: at % 2 === 1 ? 'user' : 'assistant', content: `${at} ${prose(at, characters)}` };
    };
    const post = (path: string, body: object): Promise<string> =>
      caller.post(`/v1/sessions${path}`, JSON.stringify(body));
    await post('', { session: 'long', window: WINDOW });
    for (const count of EVENTS) {
      while (at < count)
        await post('/long/messages', { messages: Array.from({ length: AT_ONCE }, () => next(100)) });
      const appends: number[] = [];
      const composes: number[] = [];
      for (let turn = 0; turn < TURNS; turn += 1) {
        const messages = [next(500), next(500)];
        appends.push(await millisecondsOf(() => post('/long/messages', { messages })));
        composes.push(await millisecondsOf(() => post('/long/compose', {})));
      }
      rows.push([
        whole(count),
        ...[appends, composes].flatMap((took) => [
          fixed(quantile(took, 0.5), 1),
          fixed(quantile(took, 0.99), 1),
        ]),
      ]);
      note(`${whole(count)} messages: ${fixed(quantile(appends, 0.5), 1)} ms for an append`);
    }
    caller.close();
    report(
      'scaling: messages of a session that is compacted whenever it must be',
      ['messages', 'append p50, ms', 'p99, ms', 'compose p50, ms', 'p99, ms'],
      rows,
    );
  });

const measureReaders = (): Promise<void> =>
  withService('readers', async (service) => {
    const rows: (readonly string[])[] = [];
    for (const count of READERS) {
      const took = await fanOut(service.admin, count, `fan-out-${count}`);
      rows.push([whole(count), fixed(quantile(took, 0.5), 1), fixed(quantile(took, 0.99), 1)]);
      note(`${count} readers: ${fixed(quantile(took, 0.99), 1)} ms at the 99th percentile`);
    }
    report(
      'scaling: delay from the answer to an append until a stream reader has it',
      ['readers', 'p50, ms', 'p99, ms'],
      rows,
    );
  });

await mkdir(folder, { recursive: true });
await measureProcesses();
await measureSessions();
await measureTenants();
await measureEvents();
await measureReaders();
