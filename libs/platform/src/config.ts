import { AppError } from '@app/kernel';
import { z } from 'zod';
import { accessSettings } from './access/access-settings.js';
import { hookSettings, requireHookSecret } from './hook-settings.js';
import { httpSettings, streamSettings, webhookSettings } from './http-settings.js';
import { gatewaySettings } from './parts/gateway/gateway-settings.js';
import { requireOneOfSecretKeys, secretSettings } from './parts/secrets/secret-settings.js';
import { requireKeys, summarizerSettings } from './parts/summarizers/summarizer-settings.js';
import { limitSettings } from './parts/tenants/limit-settings.js';
import { requireWitnessName, transparencySettings } from './parts/transparency/log-settings.js';
import { port, processSettings } from './process-settings.js';

const EVENTSTORE = 'give esdb://HOST:PORT?tls=false, or another connection string of EventStoreDB';
const POSTGRES = 'give postgres://USER:PASSWORD@HOST:PORT/DATABASE';
const shape = {
  /** The folder of the embedded servers. */
  PALIMPSEST_DATA: z.string().min(1).default('.palimpsest'),
  /** A configured server is not started. */
  PALIMPSEST_EVENTSTORE_URL: z
    .url({ protocol: /^(esdb|kurrentdb)(\+discover)?$/, error: EVENTSTORE })
    .optional(),
  PALIMPSEST_POSTGRES_URL: z.url({ protocol: /^postgres(ql)?$/, error: POSTGRES }).optional(),
  /** Ports of the embedded servers on the loopback interface; 0 takes any free one. */
  PALIMPSEST_EVENTSTORE_PORT: port.default(0),
  PALIMPSEST_POSTGRES_PORT: port.default(0),
  /** Address of the API; port 0 selects any free one. */
  PALIMPSEST_HTTP_HOST: z.string().min(1).default('127.0.0.1'),
  PALIMPSEST_HTTP_PORT: port.default(8_420),
  ...processSettings,
  ...accessSettings,
  ...hookSettings,
  ...httpSettings,
  ...secretSettings,
  ...streamSettings,
  ...webhookSettings,
  ...transparencySettings,
  ...limitSettings,
  ...gatewaySettings,
  ...summarizerSettings,
};
const settings = z
  .object(shape)
  .superRefine(requireHookSecret)
  .superRefine(requireOneOfSecretKeys)
  .superRefine(requireKeys)
  .superRefine(requireWitnessName);

/** The names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(shape);

export type AppConfig = Readonly<z.infer<typeof settings>>;

/**
 * Parses all settings once at start; empty values count as absent. The names are those of `.env.example`.
 *
 * @throws {AppError} `invalid-configuration` with the names of all faulty settings, without values.
 */
export const parseConfig = (env: Readonly<Record<string, string | undefined>>): AppConfig => {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = settings.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new AppError('invalid-configuration', `the configuration is wrong: ${faults.join('; ')}`);
};
