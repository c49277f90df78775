import { sessionEventTypes, tenantDecisionTypes } from '@app/domain';
import {
  AppError,
  type IsoTime,
  isModelName,
  LIMITS,
  LogPosition,
  MessageId,
  MODEL_NAME_RULE,
  parseAsOf,
  RequestId,
  Revision,
  readTime,
  SessionId,
  TenantId,
} from '@app/kernel';
import type { AppConfig } from '@app/platform';
import type { AuditEventType } from '@app/ports';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { loadEngine } from './engine.js';

export type GlobalOptions = {
  readonly json: boolean;
  readonly tenant: TenantId;
  readonly data?: string;
  readonly eventstoreUrl?: string;
  readonly postgresUrl?: string;
  readonly eventstorePort?: string;
  readonly postgresPort?: string;
  readonly url?: string;
  readonly apiKey?: string;
  /** Reason for a read of text. */
  readonly why?: string;
};

/** Adds the options that every command takes, before or after its name. */
export const withGlobalOptions = (program: Command): Command =>
  program
    .option('--json', 'print the result as JSON', false)
    .addOption(
      new Option('--tenant <tenant>', 'tenant ID').argParser(tenant).default(TenantId('default'), 'default'),
    )
    .option(
      '--data <dir>',
      'folder of the embedded servers (default: .palimpsest, env: PALIMPSEST_DATA)',
      nonEmpty,
    )
    .option(
      '--eventstore-url <url>',
      'use this event store instead of the embedded one (env: PALIMPSEST_EVENTSTORE_URL)',
      nonEmpty,
    )
    .option(
      '--postgres-url <url>',
      'use this PostgreSQL instead of the embedded one (env: PALIMPSEST_POSTGRES_URL)',
      nonEmpty,
    )
    .option(
      '--eventstore-port <port>',
      'port of the embedded event store (default: any free port, env: PALIMPSEST_EVENTSTORE_PORT)',
      nonEmpty,
    )
    .option(
      '--postgres-port <port>',
      'port of the embedded PostgreSQL (default: any free port, env: PALIMPSEST_POSTGRES_PORT)',
      nonEmpty,
    )
    .option('--url <url>', 'call the service at this URL (env: PALIMPSEST_URL)', nonEmpty)
    .option(
      '--api-key <key>',
      'API key for the service (env: PALIMPSEST_API_KEY, which no list of processes shows)',
      nonEmpty,
    )
    .option('--why <text>', 'reason for reading content, recorded in the audit', readReason);

/** Refuses `--tenant` over HTTP: the API key determines the tenant, and the option would be ignored. */
export const refuseTenantOverHttp = (program: Command): void => {
  const { url } = program.opts<GlobalOptions>();
  const isGiven = program.getOptionValueSource('tenant') === 'cli';
  if (isGiven && (url ?? process.env.PALIMPSEST_URL ?? '') !== '')
    program.error("option '--tenant' cannot be used over HTTP: the API key determines the tenant");
};

/** Refuses an empty value: it usually comes from an unset shell variable. */
export const nonEmpty = (text: string): string => {
  if (text === '') throw new InvalidArgumentError('it is empty: give a value, or leave the option out');
  return text;
};

/** Maximum length in characters, as in the API. */
const WHY_MAX = 500;

const readReason = (text: string): string => {
  if (nonEmpty(text).length <= WHY_MAX) return text;
  throw new InvalidArgumentError(`it is longer than ${WHY_MAX} characters: shorten it`);
};

/** Returns the configuration; options take precedence over environment variables. */
export const configFrom = async (
  options: GlobalOptions,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<AppConfig> => {
  const { parseConfig } = await loadEngine();
  return parseConfig({
    ...env,
    // Compactions and projections run in the command; the service delivers webhooks.
    PALIMPSEST_ROLES: 'api,compactor,projector',
    ...setting('PALIMPSEST_DATA', options.data),
    ...setting('PALIMPSEST_EVENTSTORE_URL', options.eventstoreUrl),
    ...setting('PALIMPSEST_POSTGRES_URL', options.postgresUrl),
    ...setting('PALIMPSEST_EVENTSTORE_PORT', options.eventstorePort),
    ...setting('PALIMPSEST_POSTGRES_PORT', options.postgresPort),
  });
};

const setting = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: value });

/** Returns a parser for the command line that turns an {@link AppError} of `parse` into a usage error. */
export const parser =
  <Value>(parse: (text: string) => Value) =>
  (text: string): Value => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(error instanceof AppError ? error.message : 'not a valid value');
    }
  };

const tenant = parser(TenantId);

const wholeNumber = (text: string, from: number): number => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from) return value;
  throw new InvalidArgumentError(`give a whole number from ${from}, with 15 digits at most`);
};
/** Parses the size of a log, in leaves. */
export const logSize = (text: string): number => wholeNumber(text, 0);
export const revision = (text: string): Revision => Revision(wholeNumber(text, 0));
/** Parses a revision, a time, or the ID of a request. */
export const asOf = parser(parseAsOf);
export const messageId = parser(MessageId);
export const sessionId = parser(SessionId);
/** Parses the ID of a request, as `compose` returns it. */
export const requestId = parser(RequestId);
export const logPosition = (text: string): LogPosition => {
  if (/^\d{1,19}$/.test(text)) return LogPosition(BigInt(text));
  throw new InvalidArgumentError('give a place in the log, which is a whole number from 0');
};
/** Parses seconds, at most a month. */
export const seconds = (text: string): number => {
  const value = wholeNumber(text, 0);
  if (value <= 30 * 86_400) return value;
  throw new InvalidArgumentError('give seconds, at most 2592000: thirty days');
};
export const limit = (text: string): number => wholeNumber(text, 1);
export const port = (text: string): number => {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= 65_535) return value;
  throw new InvalidArgumentError('give a port from 1 to 65535, or 0 for any free one');
};
export const statusCode = (text: string): number => {
  if (/^[1-5]\d\d$/.test(text)) return Number(text);
  throw new InvalidArgumentError('give a status of HTTP, such as 413');
};
/** Parses a window in tokens: `32000` or `32k`. */
export const windowSize = (text: string): number => {
  const found = /^(\d{1,9})(k?)$/i.exec(text);
  const size = found ? Number(found[1]) * (found[2] ? 1_000 : 1) : Number.NaN;
  if (size <= LIMITS.window.max) return size;
  const most = LIMITS.window.max.toLocaleString('en');
  throw new InvalidArgumentError(
    `give a number of tokens, such as 32000 or 32k, at most ${most}; 0 is unlimited`,
  );
};
/** Parses a number of tokens: `100000` or `100k`. */
export const tokenCount = (text: string): number => {
  const found = /^(\d{1,12})(k?)$/i.exec(text);
  if (found) return Number(found[1]) * (found[2] ? 1_000 : 1);
  throw new InvalidArgumentError('give a number of tokens, such as 100000 or 100k');
};
/** Parses the name of a model. */
export const modelName = (text: string): string => {
  if (isModelName(text)) return text;
  throw new InvalidArgumentError(`give ${MODEL_NAME_RULE}`);
};
const textUpTo =
  (max: number) =>
  (text: string): string => {
    if (text.length > 0 && text.length <= max) return text;
    throw new InvalidArgumentError(`give at most ${max} characters, and at least 1`);
  };
/** Parses the reason for the end of a turn. */
export const stopReason = textUpTo(LIMITS.stopReason.max);
/** Parses a reason that the audit records. */
export const reason = textUpTo(LIMITS.reason.max);
/** Event types of sessions and tenants. */
const AUDIT_TYPES: readonly string[] = [...sessionEventTypes(), ...tenantDecisionTypes()];
const isAuditType = (text: string): text is AuditEventType => AUDIT_TYPES.includes(text);

export const eventType = (text: string): AuditEventType => {
  if (isAuditType(text)) return text;
  const matching = AUDIT_TYPES.filter((type) => type.toLowerCase().includes(text.toLowerCase()));
  const some = text === '' || matching.length === 0 ? ['CompactionCompleted', 'MessageAppended'] : matching;
  throw new InvalidArgumentError(
    `use the name of an event, such as ${some.slice(0, 5).join(', ')}: docs/guides/event-log.md has them all`,
  );
};
export const instant = (text: string): IsoTime => {
  const time = readTime(text);
  if (time !== undefined) return time;
  throw new InvalidArgumentError('give a time such as 2026-11-21 or 2026-11-21T09:30:00Z');
};
