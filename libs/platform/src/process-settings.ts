import { z } from 'zod';

/**
 * What a process may do: answer requests, run compactions (and ask for those of idle sessions), project the log, send to
 * webhooks.
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

/** A whole number from `min` to `max`; `fault` says so to whoever gives another. */
export const whole = (min: number, max: number, fault: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, fault)
    .transform(Number)
    .refine((number) => number >= min && number <= max, fault);

const isRole = (name: string): name is ProcessRole => ROLES.some((role) => role === name);

/** What a process does, and how it shows what it does. */
export const processSettings = {
  /** Its parts; several processes share them against servers of their own. */
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
  /** Compactions that run at once. */
  PALIMPSEST_MAX_CONCURRENT_COMPACTIONS: whole(1, 256, 'give a number from 1 to 256').default(4),
  /** Requests for compactions that are held, so that tenants can take turns. */
  PALIMPSEST_COMPACTION_QUEUE_LIMIT: whole(1, 100_000, 'give a number from 1 to 100000').default(5_000),
  /** What the operator says of models, over the word of the shipped file: its form is that of `models/models.json`. */
  PALIMPSEST_MODELS_FILE: z.string().min(1).optional(),
  /** Lines of the log that are below it are not written. */
  PALIMPSEST_LOG_LEVEL: z.enum(LOG_LEVELS, { error: `give one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  /** Where a process without the API shows its health and metrics; nowhere where it is not given. */
  PALIMPSEST_OPERATIONS_PORT: port.optional(),
  /** Who may read the metrics: whoever asks from this machine, or whoever can reach the port. */
  PALIMPSEST_METRICS: z
    .enum(['loopback', 'public', 'off'], { error: 'give loopback, public or off' })
    .default('loopback'),
  /** The collector that traces are sent to, as OpenTelemetry defines it; none are made where it is not given. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'give http://HOST:PORT of an OpenTelemetry collector' })
    .optional(),
};
