import { z } from 'zod';

/**
 * Roles of a process: serve requests, run compactions and request those of idle sessions, project the log, send to webhooks.
 */
const ROLES = ['api', 'compactor', 'projector', 'webhooks'] as const;
export type ProcessRole = (typeof ROLES)[number];
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const ROLES_FAULT = `give one or several of ${ROLES.join(', ')}, with commas between them`;
const PORT_FAULT = 'give a port from 1 to 65535, or 0 for any free one';

export const port = z
  .string()
  .regex(/^\d{1,5}$/, PORT_FAULT)
  .transform(Number)
  .refine((number) => number <= 65_535, PORT_FAULT);

type Unit = 'a number' | 'a number of seconds' | 'milliseconds' | 'MiB';

/** Returns a schema for whole numbers from `min` to `max`; `unit` is for the error text. */
export const whole = (unit: Unit, min: number, max: number) => {
  const fault = `give ${unit} from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, fault)
    .transform(Number)
    .refine((number) => number >= min && number <= max, fault);
};

const isRole = (name: string): name is ProcessRole => ROLES.some((role) => role === name);

/** Settings of roles, concurrency, logs, metrics and traces. */
export const processSettings = {
  /** Roles of this process; several processes can share them, with external servers. */
  PALIMPSEST_ROLES: z
    .string()
    .transform((text, context): readonly ProcessRole[] => {
      const names = text.split(',').map((name) => name.trim());
      const roles = names.filter(isRole);
      if (roles.length === names.length) return ROLES.filter((role) => roles.includes(role));
      context.addIssue({ code: 'custom', message: ROLES_FAULT });
      return z.NEVER;
    })
    .default([...ROLES]),
  /** Maximum of concurrent compactions. */
  PALIMPSEST_MAX_CONCURRENT_COMPACTIONS: whole('a number', 1, 256).default(4),
  /** Maximum of compaction requests in memory, among which tenants take turns. */
  PALIMPSEST_COMPACTION_QUEUE_LIMIT: whole('a number', 1, 100_000).default(5_000),
  /** The operator's models, which override the installed ones, in the format of `models/models.json`. */
  PALIMPSEST_MODELS_FILE: z.string().min(1).optional(),
  /** Minimum level of log lines. */
  PALIMPSEST_LOG_LEVEL: z.enum(LOG_LEVELS, { error: `give one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  /** Port of health and metrics of a process without the API; none by default. */
  PALIMPSEST_OPERATIONS_PORT: port.optional(),
  /** Clients that may read the metrics: those of this machine, or all that can reach the port. */
  PALIMPSEST_METRICS: z
    .enum(['loopback', 'public', 'off'], { error: 'give loopback, public or off' })
    .default('loopback'),
  /** OpenTelemetry collector for traces; without it, no traces are recorded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'give http://HOST:PORT of an OpenTelemetry collector' })
    .optional(),
};
