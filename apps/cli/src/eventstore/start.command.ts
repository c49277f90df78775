import type {
  EventStoreOptions,
  ServerLogEntry,
  startEventStore,
  TlsOptions,
} from '@app/embedded-event-store';
import { AppError, defined, pick } from '@app/kernel';
import type { logLine } from '@app/platform';
import { Command, Option } from 'commander';
import { withNotes } from '../command-notes.js';
import { loadEngine } from '../engine.js';
import { Interruption } from '../interruption.js';
import { type GlobalOptions, limit, port } from '../options.js';
import { note, print, printJson } from '../output/print.js';
import { Interrupted, reportError } from '../output/report-error.js';
import { eventStoreFolder } from './folder.js';
import { secretFrom } from './secret.js';

type Options = GlobalOptions & {
  readonly port: number;
  readonly host?: string;
  readonly unixSocket?: string;
  readonly advertiseHost?: string;
  readonly advertisePort?: number;
  readonly maxAppendSize?: number;
  readonly tls: boolean;
  readonly certificateFile?: string;
  readonly certificatePrivateKeyFile?: string;
  readonly tlsCaFile?: string;
  readonly defaultAdminPasswordFile?: string;
  readonly defaultOpsPasswordFile?: string;
  readonly allowAnonymousStreamAccess: boolean;
  readonly allowInsecureHost: boolean;
  readonly runProjections: 'none' | 'system';
  readonly startStandardProjections: boolean;
  readonly acceptLoss: boolean;
  readonly log?: 'json';
};

/** Default port of EventStoreDB. */
const PORT = 2113;

/** Defines `palimpsest eventstore`, which serves the event log of a data folder until it is stopped. */
export const startCommand = (): Command =>
  withNotes(new Command('start'), {
    details:
      'Serves the event log of the data folder until SIGINT or SIGTERM, and starts nothing else. Prints a line that begins with the connection string.',
    json: '`url`, `port`, `tls`, `data`, `pid`, `generatedPasswords` (if any)',
    examples: ['palimpsest eventstore start --port 2113 --tls'],
    guide: 'event-log.md#embedded-server',
  })
    .description('Run the event store on the data folder until SIGINT or SIGTERM (default)')
    .option('--port <port>', 'port to listen on; 0 is any free one', port, PORT)
    .option('--host <host>', 'interface to listen on (default: 127.0.0.1)')
    .option('--unix-socket <path>', 'listen on a socket of the file system instead of a port')
    .option('--advertise-host <host>', 'host that the server reports to clients')
    .option('--advertise-port <port>', 'port that the server reports to clients', port)
    .option('--max-append-size <bytes>', 'maximum size of one append (default: 1048576)', limit)
    .option('--tls', 'use TLS with generated certificates, and users', false)
    .option('--certificate-file <file>', 'certificate of the server, PEM; turns TLS on')
    .option('--certificate-private-key-file <file>', 'its private key, PEM')
    .option('--tls-ca-file <file>', 'certificate for clients to trust, for the connection string')
    .option(
      '--default-admin-password-file <file>',
      'first password of admin (default: generated, env: EVENTSTORE_DEFAULT_ADMIN_PASSWORD)',
    )
    .option(
      '--default-ops-password-file <file>',
      'first password of ops (default: generated, env: EVENTSTORE_DEFAULT_OPS_PASSWORD)',
    )
    .option('--allow-anonymous-stream-access', 'allow access to open streams without credentials', false)
    .option('--allow-insecure-host', 'listen on other interfaces without TLS', false)
    .addOption(
      new Option('--run-projections <which>', 'projections that may be switched on')
        .choices(['none', 'system'])
        .default('system'),
    )
    .option('--start-standard-projections', 'switch all system projections on', false)
    .option(
      '--accept-loss',
      'start without the lost part of a damaged folder; the damaged files are kept',
      false,
    )
    .addOption(new Option('--log <format>', 'log to stderr').choices(['json']))
    .action((_, command: Command) => serve(command.optsWithGlobals<Options>()));

const serve = async (options: Options): Promise<void> => {
  const { logLine } = await loadEngine();
  const { startEventStore } = await import('@app/embedded-event-store');
  const interruption = new Interruption();
  const isJson = options.log === 'json';
  redirectConsole(isJson ? logLine : undefined);
  try {
    const settings = await settingsFrom(options);
    const server = await startEventStore(settings, isJson ? entriesTo(logLine) : undefined);
    try {
      announce(options, settings, server);
      await interruption.happened.catch((reason: unknown) => {
        if (!(reason instanceof Interrupted)) throw reason;
      });
    } finally {
      await server.stop();
    }
  } finally {
    interruption.forget();
  }
};

const settingsFrom = async (options: Options): Promise<EventStoreOptions> => {
  const tls = tlsFrom(options);
  const admin = secretFrom('EVENTSTORE_DEFAULT_ADMIN_PASSWORD', options.defaultAdminPasswordFile);
  const ops = secretFrom('EVENTSTORE_DEFAULT_OPS_PASSWORD', options.defaultOpsPasswordFile);
  return {
    dataDir: await eventStoreFolder(options),
    ...pick(options, 'port', 'host', 'unixSocket', 'advertiseHost', 'advertisePort'),
    ...defined({
      appendSizeMax: options.maxAppendSize,
      tls,
      defaultAdminPassword: admin,
      defaultOpsPassword: ops,
    }),
    allowAnonymousStreamAccess: options.allowAnonymousStreamAccess,
    allowInsecureHost: options.allowInsecureHost,
    systemProjections: options.runProjections === 'system',
    startStandardProjections: options.startStandardProjections,
    acceptLoss: options.acceptLoss,
  };
};

type Started = Awaited<ReturnType<typeof startEventStore>>;

const announce = (options: Options, { dataDir, tls }: EventStoreOptions, started: Started): void => {
  const { url, port: bound, generatedPasswords } = started;
  const passwords = Object.entries(generatedPasswords);
  if (options.json) {
    printJson({
      url,
      port: bound,
      tls: tls !== undefined,
      data: dataDir,
      pid: process.pid,
      generatedPasswords,
    });
    return;
  }
  print(`${url} is an event store with EventStoreDB's protocol, one node, on ${dataDir}`);
  if (passwords.length === 0) return;
  const list = passwords.map(([login, password]) => `${login} ${password}`).join(', ');
  print(`passwords, shown this once: ${list}`);
};

const entriesTo =
  (log: typeof logLine) =>
  ({ event, ...entry }: ServerLogEntry): void =>
    log(event === 'failed' ? 'error' : event === 'refused' ? 'warn' : 'info', { event, ...entry });

/**
 * Writes console output of libraries to stderr, one line each, and ends the process with one line on an uncaught
 * error: acknowledged events are on disk. For commands that run until they are stopped.
 *
 * @param log writes the lines as JSON; without it they are text.
 */
const redirectConsole = (log: typeof logLine | undefined): void => {
  const report = (...values: unknown[]): void => {
    const message = values
      .map((part) => (part instanceof Error ? part.message : String(part)))
      .join(' ')
      .replaceAll(/\s+/g, ' ');
    if (log) log('warn', { event: 'complaint', message });
    else note(`event store: ${message}`);
  };
  Object.assign(globalThis.console, { log: report, info: report, warn: report, error: report });
  process.once('uncaughtException', (error) => process.exit(reportError(error)));
};

type TlsFlags = {
  readonly tls: boolean;
  readonly host?: string;
  readonly advertiseHost?: string;
  readonly certificateFile?: string;
  readonly certificatePrivateKeyFile?: string;
  readonly tlsCaFile?: string;
};

/**
 * @throws {AppError} `invalid-configuration` if a certificate comes without its key or a key without its certificate.
 */
const tlsFrom = (flags: TlsFlags): TlsOptions | undefined => {
  const { certificateFile, certificatePrivateKeyFile: privateKeyFile, tlsCaFile: caFile } = flags;
  if (certificateFile !== undefined && privateKeyFile !== undefined)
    return { certificateFile, privateKeyFile, ...(caFile !== undefined && { caFile }) };
  if (certificateFile !== undefined || privateKeyFile !== undefined || caFile !== undefined)
    throw new AppError(
      'invalid-configuration',
      'a certificate needs its key: give --certificate-file and --certificate-private-key-file together',
    );
  if (!flags.tls) return undefined;
  // The certificate must name every host that clients connect to.
  const hosts = [flags.host, flags.advertiseHost].filter((host) => host !== undefined);
  return { generatedFor: hosts.filter((host) => host !== '0.0.0.0' && host !== '::') };
};
