import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deployment, Part } from './deployment.js';
import { type Server, startEventStoreServer, startPostgresServer } from './processes/servers.js';
import type { Settings } from './processes/service-process.js';
import { Supervised } from './processes/supervised.js';
import { ADMIN_KEY, type OwnServers, sharedSettings } from './settings.js';

/** A deployment with access to its parts. */
export type ProcessDeployment = Deployment & {
  readonly api: Supervised;
  /** Compactor, projector and sender to webhooks. */
  readonly worker: Supervised;
  readonly eventStore: Server;
  /** Folder of the event store, if it was started here. */
  readonly eventStoreFolder: string;
  /** Environment for one more program of the deployment. */
  readonly settings: Settings;
};

/** Starts API, worker, event store and PostgreSQL as separate processes that know each other by URL only. */
export const startInProcesses = async (
  settings: Settings = {},
  { eventStoreUrl, postgresUrl }: OwnServers = {},
): Promise<ProcessDeployment> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-processes-'));
  const [eventStore, postgres] = await Promise.all([
    eventStoreUrl ? named(eventStoreUrl) : startEventStoreServer(join(folder, 'eventstore')),
    postgresUrl ? named(postgresUrl) : startPostgresServer(join(folder, 'postgres')),
  ]);
  const shared = sharedSettings(eventStore.url, postgres.url, join(folder, 'unused'), settings);
  const api = await Supervised.start({
    program: 'api',
    settings: shared,
    flags: ['--roles', 'api'],
    port: 'PALIMPSEST_HTTP_PORT',
  });
  const worker = await Supervised.start({
    program: 'worker',
    settings: shared,
    port: 'PALIMPSEST_OPERATIONS_PORT',
  });
  const killing = { api, worker, 'event-store': eventStore, postgres };
  const ours: readonly Part[] = [
    'api',
    'worker',
    ...(eventStoreUrl ? [] : (['event-store'] as const)),
    ...(postgresUrl ? [] : (['postgres'] as const)),
  ];
  const [url] = await Promise.all([api.url(), worker.url()]);
  return {
    url,
    adminKey: ADMIN_KEY,
    api,
    worker,
    eventStore,
    eventStoreFolder: join(folder, 'eventstore'),
    settings: shared,
    parts: ours,
    kill: (part, meanwhile) => killing[part].kill(meanwhile),
    get unexpectedExits() {
      return [...api.unexpectedExits, ...worker.unexpectedExits];
    },
    logs: () => [...api.lines, ...worker.lines],
    stop: async () => {
      const codes = await Promise.all([api.end(), worker.end()]);
      await Promise.all([eventStore.stop(), postgres.stop()]);
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
      return codes;
    },
  };
};

/** A server that this deployment does not own. */
const named = async (url: string): Promise<Server> => ({
  url,
  pid: 0,
  kill: () => Promise.reject(new Error('this server is not ours to kill')),
  signal: () => {
    throw new Error('this server is not ours to stall');
  },
  stop: async () => {},
});
