import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import { loadEngine } from '../engine.js';
import { nonEmpty } from '../options.js';
import { projectRoot } from '../project-root.js';

/** The environment variable that each option of the command sets. */
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
 * Defines `palimpsest serve`, which runs the service in this process until SIGINT or SIGTERM.
 *
 * @throws {AppError} `invalid-configuration`.
 */
export const serveCommand = (): Command =>
  withNotes(new Command('serve'), {
    details:
      'Runs until SIGINT or SIGTERM, with embedded servers for every server without a URL. Prints its address and the file of the first API key. Takes all settings of .env.example; options win.',
    examples: ['palimpsest serve --port 8420', 'palimpsest serve --roles compactor,projector'],
    guide: 'operating.md',
  })
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

/** Command options that set environment variables of the service. */
export type ServiceOptions = Readonly<Partial<Record<keyof typeof SETTINGS, string>>>;

/**
 * Runs the service in this process; the service ends the process.
 *
 * @param session the session that the console's link opens.
 * @throws {AppError} `invalid-configuration`.
 */
export const becomeService = async (options: ServiceOptions, session?: string): Promise<never> => {
  for (const [option, setting] of Object.entries(SETTINGS)) {
    const value = Object.entries(options).find(([name]) => name === option)?.[1];
    if (value !== undefined) process.env[setting] = value;
  }
  (await loadEngine()).parseConfig(process.env);
  // The service has its own signal handlers, log and exit code. Its program would read the command's arguments too.
  process.argv.length = 2;
  if (session !== undefined) process.argv.push('--open', session);
  await import(pathToFileURL(projectRoot('dist/programs/api.js')).href);
  process.exitCode ??= 0; // Else Node ends with 13, since the promise never settles.
  return new Promise<never>(() => {});
};
