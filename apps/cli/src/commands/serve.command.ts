import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { loadEngine } from '../engine.js';
import { nonEmpty } from '../options.js';
import { projectRoot } from '../project-root.js';

/** By the option of the command line: the setting of the service that it stands for. */
const SETTINGS = {
  data: 'PALIMPSEST_DATA',
  eventstoreUrl: 'PALIMPSEST_EVENTSTORE_URL',
  postgresUrl: 'PALIMPSEST_POSTGRES_URL',
  eventstorePort: 'PALIMPSEST_EVENTSTORE_PORT',
  postgresPort: 'PALIMPSEST_POSTGRES_PORT',
  host: 'PALIMPSEST_HTTP_HOST',
  port: 'PALIMPSEST_HTTP_PORT',
  roles: 'PALIMPSEST_ROLES',
} as const;

/**
 * `palimpsest serve`: the service in this process, until SIGINT or SIGTERM.
 *
 * @throws {AppError} `invalid-configuration`.
 */
export const serveCommand = (): Command =>
  new Command('serve')
    .description('Run the service: API, gateway, compactor, projector and webhooks')
    .option(
      '--host <host>',
      'interface to listen on (default: 127.0.0.1, env: PALIMPSEST_HTTP_HOST)',
      nonEmpty,
    )
    .option(
      '--port <port>',
      'port to listen on; 0 takes any free one (default: 8420, env: PALIMPSEST_HTTP_PORT)',
      nonEmpty,
    )
    .option(
      '--roles <roles>',
      'roles of this process (default: api,compactor,projector,webhooks, env: PALIMPSEST_ROLES)',
      nonEmpty,
    )
    .action((_, command: Command) => becomeService(command.optsWithGlobals<ServiceOptions>()));

/** Options of the command line that are settings of the service. */
export type ServiceOptions = Readonly<Partial<Record<keyof typeof SETTINGS, string>>>;

/**
 * Runs the service in this process until it ends it.
 *
 * @param session the console's link leads to this session.
 * @throws {AppError} `invalid-configuration`.
 */
export const becomeService = async (options: ServiceOptions, session?: string): Promise<never> => {
  for (const [option, setting] of Object.entries(SETTINGS)) {
    const value = Object.entries(options).find(([name]) => name === option)?.[1];
    if (value !== undefined) process.env[setting] = value;
  }
  (await loadEngine()).parseConfig(process.env);
  // The service has its own signals, log and exit code, and ends the process. Its program reads the command line too.
  process.argv.length = 2;
  if (session !== undefined) process.argv.push('--open', session);
  await import(pathToFileURL(projectRoot('dist/programs/api.js')).href);
  return new Promise<never>(() => {});
};
