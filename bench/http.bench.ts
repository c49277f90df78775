/**
 * The HTTP path of the default installation, compared with an empty Fastify route with the same bodies: appends of
 * two messages of 500 characters by 16 concurrent agents, then one agent that appends and composes alternately.
 * Projector, compactor and webhooks run as in production. The client shares the machine with the service.
 */
import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuMsOf } from './support/http/cpu-time.js';
import { HttpCaller } from './support/http/http-caller.js';
import { readInvocation } from './support/invocation.js';
import { ADMIN_KEY, Service } from './support/load/service.js';
import { fixed, report, whole } from './support/report.js';
import { median, millisecondsOf, quantile, ratioOf, takeTurns } from './support/rounds.js';
import { prose } from './support/sessions/texts.js';

const { quick, folder } = readInvocation();
/** Node compiles for some 5,000 requests, which take several times the CPU time meanwhile: both are reported. */
const TIMES = quick ? { rounds: 3, warmUps: 2 } : { rounds: 9, warmUps: 8 };
const AGENTS = 16;
const REQUESTS_PER_AGENT = 50;
const TURNS = 100;

const service = await Service.start(join(folder, 'service'));
const bareServer = spawn(
  process.execPath,
  [join(dirname(fileURLToPath(import.meta.url)), 'support/http/bare-server.js')],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const [line] = (await once(bareServer.stdout, 'data')) as [Buffer]; // Its only line.
const bareUrl = /ready at (\S+)/.exec(line.toString())?.[1] ?? '';

let sessions = 0;
const bodyOf = (at: number): string =>
  JSON.stringify({
    messages: [
      { role: 'user', content: prose(at, 500) },
      { role: 'assistant', content: prose(at + 1, 500) },
    ],
  });

const newSession = async (caller: HttpCaller): Promise<string> => {
  sessions += 1;
  const session = `s-${sessions}`;
  await caller.post('/v1/sessions', JSON.stringify({ session, model: 'claude-sonnet-4-5' }));
  return `/v1/sessions/${session}`;
};

type Round = { readonly latencies: readonly number[]; readonly cpuMs: number };
const rounds = new Map<string, Round[]>();

/** Requests per second by all agents together. */
const manyAgents = (name: string, url: string, pid: number) => async (): Promise<number> => {
  const caller = new HttpCaller(url, ADMIN_KEY);
  const paths = await Promise.all(Array.from({ length: AGENTS }, () => newSession(caller)));
  const latencies: number[] = [];
  const before = await cpuMsOf(pid);
  const milliseconds = await millisecondsOf(() =>
    Promise.all(
      paths.map(async (path) => {
        for (let at = 0; at < REQUESTS_PER_AGENT; at += 1)
          latencies.push(await millisecondsOf(() => caller.post(`${path}/messages`, bodyOf(at))));
      }),
    ),
  );
  const cpuMs = ((await cpuMsOf(pid)) - before) / latencies.length;
  rounds.set(name, [...(rounds.get(name) ?? []), { latencies, cpuMs }]);
  caller.close();
  return (latencies.length / milliseconds) * 1_000;
};

/**
 * Returns the median duration of an append and of a compose request, by one agent that alternates them; milliseconds.
 */
const oneAgent = (name: string, url: string) => async (): Promise<number> => {
  const caller = new HttpCaller(url, ADMIN_KEY);
  const path = await newSession(caller);
  const appends: number[] = [];
  const composes: number[] = [];
  for (let at = 0; at < TURNS; at += 1) {
    appends.push(await millisecondsOf(() => caller.post(`${path}/messages`, bodyOf(at))));
    composes.push(await millisecondsOf(() => caller.post(`${path}/compose`, '{}')));
  }
  caller.close();
  singles.set(name, [...(singles.get(name) ?? []), { append: median(appends), compose: median(composes) }]);
  return median(appends);
};
const singles = new Map<string, { readonly append: number; readonly compose: number }[]>();

const servicePid = service.pid;
const rates = await takeTurns(
  {
    service: manyAgents('service', service.url, servicePid),
    'empty route': manyAgents('empty route', bareUrl, bareServer.pid ?? 0),
  },
  TIMES,
);
await takeTurns(
  { service: oneAgent('service', service.url), 'empty route': oneAgent('empty route', bareUrl) },
  TIMES,
);
bareServer.kill('SIGTERM');
await service.stop();

const names = ['service', 'empty route'] as const;
const of = (name: (typeof names)[number]): readonly number[] => rates.get(name) ?? [];
report(
  `http: ${AGENTS} agents append at ${fixed(ratioOf(of('service'), of('empty route')))} times the rate of an empty route`,
  [
    ...['appends of two messages', 'a second', 'p50, ms', 'p99, ms', 'CPU of the process, ms'],
    'CPU at its start, ms',
  ],
  names.map((name) => {
    const all = rounds.get(name) ?? [];
    const measured = all.slice(TIMES.warmUps);
    const latencies = measured.flatMap((round) => round.latencies);
    return [
      name,
      whole(median(of(name))),
      fixed(median(latencies), 1),
      fixed(quantile(latencies, 0.99), 1),
      fixed(median(measured.map(({ cpuMs }) => cpuMs))),
      fixed(median(all.slice(0, TIMES.warmUps).map(({ cpuMs }) => cpuMs))),
    ];
  }),
);
report(
  'http: one agent appends and composes alternately',
  ['p50, ms', 'append', 'compose'],
  names.map((name) => {
    const measured = singles.get(name)?.slice(TIMES.warmUps) ?? [];
    return [
      name,
      fixed(median(measured.map(({ append }) => append))),
      fixed(median(measured.map(({ compose }) => compose))),
    ];
  }),
);
