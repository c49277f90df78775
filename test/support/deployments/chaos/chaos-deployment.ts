import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEventStoreServer, startPostgresServer } from '../processes/servers.js';
import { Supervised } from '../processes/supervised.js';
import { ADMIN_KEY, sharedSettings } from '../settings.js';
import { Link } from './link.js';
import { ShiftedClock } from './shifted-clock.js';
import { mountSmallDisk, type SmallDisk } from './small-disk.js';

const PROGRAMS = ['api', 'worker', 'other-worker'] as const;
export type ProgramPart = (typeof PROGRAMS)[number];
const SERVERS = ['event-store', 'postgres'] as const;
export type ServerPart = (typeof SERVERS)[number];
export type ChaosPart = ProgramPart | ServerPart;

/** The service in separate processes, of which everything that happens to processes, networks, disks and clocks can happen. */
export type ChaosDeployment = {
  /** URL of the API; the same after a kill. */
  readonly url: string;
  readonly adminKey: string;
  /** Unexpected exits of programs: exit code and last log lines. */
  readonly unexpectedExits: readonly string[];
  kill(part: ChaosPart): Promise<void>;
  signal(part: ChaosPart, signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Proxies between programs and servers. */
  link(program: ProgramPart, server: ServerPart): Link;
  clock(program: ProgramPart): ShiftedClock;
  /** `undefined` where this user may mount no file system. */
  disk(server: ServerPart): SmallDisk | undefined;
  /** Ends everything in good order; resolves with the exit codes of the programs. */
  stop(): Promise<readonly (number | null)[]>;
};

/** An API, two workers with every role, an event store over TCP and PostgreSQL; a network of its own for each pair. */
export const startChaosDeployment = async (): Promise<ChaosDeployment> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-chaos-'));
  const folderOf = { 'event-store': join(folder, 'eventstore'), postgres: join(folder, 'postgres') };
  const disks = {
    'event-store': mountSmallDisk(folderOf['event-store']),
    postgres: mountSmallDisk(folderOf.postgres),
  };
  const [eventStore, postgres] = await Promise.all([
    startEventStoreServer(join(folderOf['event-store'], 'data')),
    startPostgresServer(join(folderOf.postgres, 'data')),
  ]);
  const urls = { 'event-store': eventStore.url, postgres: postgres.url };
  const start = (program: ProgramPart) => startLinked(program, urls, join(folder, 'unused'));
  const [api, worker, other] = await Promise.all([start('api'), start('worker'), start('other-worker')]);
  const programs = { api, worker, 'other-worker': other };
  const parts = {
    api: api.program,
    worker: worker.program,
    'other-worker': other.program,
    'event-store': eventStore,
    postgres,
  };
  return {
    url: await api.program.url(),
    adminKey: ADMIN_KEY,
    get unexpectedExits() {
      return PROGRAMS.flatMap((name) => programs[name].program.unexpectedExits);
    },
    kill: (part) => parts[part].kill(),
    signal: (part, signal) => parts[part].signal(signal),
    link: (program, server) => programs[program].links[server],
    clock: (program) => programs[program].clock,
    disk: (server) => disks[server],
    stop: async () => {
      const codes = await Promise.all(PROGRAMS.map((name) => programs[name].program.end()));
      for (const name of PROGRAMS) programs[name].close();
      await Promise.all([eventStore.stop(), postgres.stop()]);
      for (const name of SERVERS) disks[name]?.remove();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
      return codes;
    },
  };
};

type Linked = {
  readonly program: Supervised;
  readonly links: Readonly<Record<ServerPart, Link>>;
  readonly clock: ShiftedClock;
  close(): void;
};

/** A program that reaches each server over a link of its own, by a clock of its own. */
const startLinked = async (
  name: ProgramPart,
  urls: Readonly<Record<ServerPart, string>>,
  unused: string,
): Promise<Linked> => {
  const linkTo = (url: string): Promise<Link> => Link.start(Number(new URL(url).port));
  const [toLog, toPostgres] = await Promise.all([linkTo(urls['event-store']), linkTo(urls.postgres)]);
  const clock = new ShiftedClock();
  const settings = sharedSettings(
    throughPort(urls['event-store'], toLog.port),
    throughPort(urls.postgres, toPostgres.port),
    unused,
    { PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true', ...clock.settings },
  );
  const program = await Supervised.start(
    name === 'api'
      ? { program: 'api', settings, flags: ['--roles', 'api'], port: 'PALIMPSEST_HTTP_PORT' }
      : { program: 'worker', settings, port: 'PALIMPSEST_OPERATIONS_PORT' },
  );
  await program.url();
  return {
    program,
    links: { 'event-store': toLog, postgres: toPostgres },
    clock,
    close: () => {
      toLog.stop();
      toPostgres.stop();
      clock.remove();
    },
  };
};

const throughPort = (url: string, port: number): string => {
  const through = new URL(url);
  through.port = String(port);
  return through.href;
};
