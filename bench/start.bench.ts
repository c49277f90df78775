/**
 * Cost of the default installation before and besides its requests: the time from its start to its first answer, a command of
 * the command line against the running service, compared with an empty Node program; its memory under the load of sixteen
 * agents, without mapped pages of its data, which are the kernel's cache; and the number of packages that it installs.
 */
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { HttpCaller } from './support/http/http-caller.js';
import { readInvocation } from './support/invocation.js';
import { sampling } from './support/load/memory.js';
import { ADMIN_KEY, Service } from './support/load/service.js';
import { fixed, report, whole } from './support/report.js';
import { median, millisecondsOf, takeTurns } from './support/rounds.js';
import { prose } from './support/sessions/texts.js';

const PROMISED = { startMs: 2_000, commandMs: 400, packages: 350, megabytes: 300 };
const { quick, folder } = readInvocation();
const TIMES = quick ? { rounds: 3, warmUps: 1 } : { rounds: 9, warmUps: 2 };
const LOAD_MS = quick ? 20_000 : 120_000;
const AGENTS = 16;

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const run = promisify(execFile);
const data = join(folder, 'service');

/** Starts on a data folder that exists after the first time. */
const started = async (): Promise<number> => {
  let service: Service | undefined;
  const took = await millisecondsOf(async () => {
    service = await Service.start(data);
  });
  await service?.stop();
  return took;
};

const emptyProgram = (): Promise<number> => millisecondsOf(() => run(process.execPath, ['--eval', '0']));

const commandOn = (url: string) => (): Promise<number> =>
  millisecondsOf(() =>
    run(process.execPath, [join(root, 'bin/palimpsest.mjs'), 'sessions', '--url', url, '--json'], {
      env: { ...process.env, PALIMPSEST_API_KEY: ADMIN_KEY },
    }),
  );

/** Agents append until the time is over. Returns the memory of each program meanwhile, and the number of requests. */
const underLoad = async (service: Service) => {
  const caller = new HttpCaller(service.url, ADMIN_KEY);
  const end = performance.now() + LOAD_MS;
  const sampled = sampling(() => service.memoryByProgram());
  let requests = 0;
  const agent = async (_: unknown, at: number): Promise<void> => {
    const session = `s-${at}`;
    await caller.post('/v1/sessions', JSON.stringify({ session, model: 'claude-sonnet-4-5' }));
    while (performance.now() < end) {
      requests += 1;
      const messages = [
        { role: 'user', content: prose(requests, 500) },
        { role: 'assistant', content: prose(requests + 1, 500) },
      ];
      await caller.post(`/v1/sessions/${session}/messages`, JSON.stringify({ messages }));
    }
  };
  await Promise.all(Array.from({ length: AGENTS }, agent));
  caller.close();
  const samples = sampled();
  const programs = [...new Set(samples.flatMap((held) => [...held.keys()]))].map(
    (name) => [name, median(samples.map((held) => held.get(name) ?? 0))] as const,
  );
  return { programs, requests };
};

const packages = async (): Promise<number> => {
  const { stdout } = await run('npm', ['ls', '--omit=dev', '--all', '--package-lock-only', '--parseable'], {
    cwd: root,
  });
  return stdout.trim().split('\n').length - 1; // The first is the project itself.
};

const starts = await takeTurns({ service: started, 'empty program': emptyProgram }, TIMES);
const service = await Service.start(data);
const commands = await takeTurns({ command: commandOn(service.url), 'empty program': emptyProgram }, TIMES);
const held = await underLoad(service);
await service.stop();

const ms = (values: readonly number[] = []): string => whole(median(values));
report(
  `start: ready after ${ms(starts.get('service'))} ms (promised ≤ ${whole(PROMISED.startMs)}), and a command takes ` +
    `${ms(commands.get('command'))} ms (promised ≤ ${PROMISED.commandMs})`,
  ['median, ms', 'time'],
  [
    ['start of the service with embedded servers', ms(starts.get('service'))],
    ['sessions --url URL', ms(commands.get('command'))],
    ['an empty Node program', ms(starts.get('empty program'))],
  ],
);
const own = held.programs
  .filter(([name]) => name !== 'postgres')
  .reduce((sum, [, megabytes]) => sum + megabytes, 0);
report(
  `start: ${whole(own)} MB under load without PostgreSQL (promised ≤ ${PROMISED.megabytes})`,
  ['resident, MB', `during ${whole(held.requests)} appends`],
  held.programs.map(([name, megabytes]) => [name, whole(megabytes)]),
);
const installed = await packages();
report(
  `start: ${installed} packages in production (promised ≤ ${PROMISED.packages})`,
  ['packages', 'number'],
  [['npm ls --omit=dev --all', fixed(installed, 0)]],
);
