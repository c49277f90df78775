import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import type { Server } from '@grpc/grpc-js';
import type { Endpoint } from '../gossip/gossip.js';
import { EventLog } from '../log/event-log.js';
import { writeFirstEvents } from '../log/first-events.js';
import { PROJECTIONS } from '../log/projections/projections.js';
import { Groups } from '../persistent/groups.js';
import { recordLosses } from '../salvage/record-losses.js';
import type { Certificates } from '../security/tls/certificates.js';
import type { FirstPasswords } from '../security/users/first-users.js';
import { Users } from '../security/users/users.js';
import { openFolder } from '../storage/open-folder.js';
import type { Store } from '../store.js';
import { OpenCalls } from '../wire/open-calls.js';
import { createServer } from './grpc-server.js';
import { addressOf, listen } from './listen.js';
import { APPEND_SIZE_MAX, type EventStoreOptions, LOOPBACK } from './options.js';
import { secure } from './secure.js';
import { CallLog, type ServerLog } from './server-log.js';

export type RunningEventStore = {
  /** 0 for a Unix domain socket. */
  readonly port: number;
  /** The connection string, without credentials. `unix:PATH` for a socket. */
  readonly url: string;
  /** Generated passwords of the users created by this start. Secrets; stored only as hashes. */
  readonly generatedPasswords: FirstPasswords;
  /** Finishes the accepted appends, ends all other calls as EventStoreDB does, and closes the data folder. */
  stop(): Promise<void>;
};

/** The time that clients have to close their connections at a stop. Milliseconds. */
const DISCONNECT_TIMEOUT_MS = 1_000;

/**
 * Starts an event store in this process, on the loopback interface by default. Without a data folder it uses a
 * temporary one, which `stop` removes.
 * @throws {AppError} `port-in-use`, `host-unusable`, `insecure-host`, `invalid-certificate`, `data-folder-in-use`,
 * `data-folder-newer`, `data-folder-damaged`, `data-folder-unusable`, `disk-full`.
 */
export const startEventStore = async (
  options: Partial<EventStoreOptions> = {},
  serverLog: ServerLog | undefined = undefined,
): Promise<RunningEventStore> => {
  const { dataDir } = options;
  if (dataDir !== undefined) return startOn({ ...options, dataDir }, serverLog);
  const folder = await mkdtemp(join(tmpdir(), 'event-store-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const running = await startOn({ ...options, dataDir: folder }, serverLog);
    return { ...running, stop: () => running.stop().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
};

const startOn = async (
  options: EventStoreOptions,
  serverLog: ServerLog | undefined,
): Promise<RunningEventStore> => {
  const startedAt = performance.now();
  const address = addressOf(options);
  const { engine, lock } = await openFolder(options.dataDir, options);
  const log = new EventLog(engine, options);
  const groups = new Groups(log, engine);
  const users = new Users(engine, (puts) => log.put(puts));
  const closeFolder = async (): Promise<void> => {
    await groups.close();
    await log.close();
    lock.release();
  };
  try {
    await writeFirstEvents(log);
    await recordLosses(log, engine);
    if (options.startStandardProjections)
      for (const name of PROJECTIONS) await log.switchProjection(name, 'running');
    const { certificates, access, interceptors, generatedPasswords } = await secure(options, log, users);
    const appendSizeMax = options.appendSizeMax ?? APPEND_SIZE_MAX;
    const store: Store = { log, groups, access, calls: new OpenCalls(), appendSizeMax };
    const callLog = serverLog && new CallLog(serverLog);
    let port = 0;
    const server = createServer({
      store,
      users,
      endpoint: () => endpointOf(options, port),
      interceptors: [...(callLog ? [callLog.interceptor] : []), ...interceptors],
    });
    port = await listen(server, address, certificates);
    const url = connectionStringOf(options, port, certificates);
    serverLog?.({
      event: 'started',
      durationMs: Math.round(performance.now() - startedAt),
      address: address.kind === 'socket' ? `unix:${address.path}` : `${address.host}:${port}`,
      tls: certificates !== undefined,
      logPosition: log.end,
      users: users.list().length,
    });
    let stopping: Promise<void> | undefined;
    const stopAll = async (): Promise<void> => {
      const stoppingAt = performance.now();
      await stopServer(server, store);
      await closeFolder();
      const durationMs = Math.round(performance.now() - stoppingAt);
      serverLog?.({ event: 'stopped', durationMs, calls: callLog?.calls ?? 0 });
    };
    const stop = (): Promise<void> => {
      stopping ??= stopAll();
      return stopping;
    };
    return { port, url, generatedPasswords, stop };
  } catch (fault) {
    await closeFolder();
    throw fault;
  }
};

const stopServer = async (server: Server, { log, calls }: Store): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  await log.drained();
  await yieldToLoop(); // Sends the answers to the last appends.
  calls.endAll();
  const timer = setTimeout(() => server.forceShutdown(), DISCONNECT_TIMEOUT_MS);
  await closed;
  clearTimeout(timer);
};

/** Wildcard addresses, which clients cannot connect to. */
const EVERY_INTERFACE: readonly string[] = ['0.0.0.0', '::'];

/** Returns the address that the server advertises to clients. */
const endpointOf = (options: EventStoreOptions, port: number): Endpoint => ({
  host: options.advertiseHost ?? reachable(options),
  port: options.advertisePort ?? port,
});

/** Returns a name with TLS: Node clients warn of addresses in certificates. */
const reachable = ({ host = LOOPBACK, tls }: EventStoreOptions): string => {
  const isHere = host === LOOPBACK || EVERY_INTERFACE.includes(host);
  if (!isHere) return host;
  return tls ? 'localhost' : LOOPBACK;
};

/** Returns the connection string, without credentials. The client accepts no IPv6 address: use a name. */
const connectionStringOf = (
  options: EventStoreOptions,
  port: number,
  certificates: Certificates | undefined,
): string => {
  if (options.unixSocket !== undefined) return `unix:${resolve(options.unixSocket)}`;
  const { host, port: advertised } = endpointOf(options, port);
  const at = `esdb://${host.includes(':') ? 'localhost' : host}:${advertised}`;
  if (!certificates) return `${at}?tls=false`;
  return certificates.caFile === undefined
    ? `${at}?tls=true`
    : `${at}?tls=true&tlsCAFile=${certificates.caFile}`;
};
