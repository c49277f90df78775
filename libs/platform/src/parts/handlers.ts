import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RegisteredHandler, registeredHandlers } from '@app/application';
import type { FactoryProvider } from '@nestjs/common';
import { CommandBus, CommandHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { part } from './parts.js';
import { ceilingsOf } from './tenants/limit-settings.js';

const NEEDS = [
  ...(['sessions', 'tenants', 'commands', 'composer', 'outcomes', 'retention', 'erasures'] as const),
  ...(['ledgers', 'runner', 'config', 'clock', 'counter', 'deliveries', 'installed', 'keys', 'log'] as const),
  ...(['logs', 'models', 'facts', 'projector', 'readModels', 'secrets', 'sender', 'stored'] as const),
  ...(['summarizers', 'tenantLog', 'uses', 'webhookSecrets'] as const),
];

const providerOf = ({ kind, message, handler, make }: RegisteredHandler): FactoryProvider => {
  const decorate = kind === 'command' ? CommandHandler(message) : QueryHandler(message);
  decorate(handler);
  return { provide: handler, inject: ['handlerParts'], useFactory: make };
};

/** The buses, and the handlers of all commands and queries, which Nest registers on them. */
export const HANDLERS = [
  { provide: 'commands', useExisting: CommandBus },
  { provide: 'queries', useExisting: QueryBus },
  part('handlerParts', NEEDS, ({ config, ...parts }) => ({
    ...parts,
    index: parts.readModels,
    keyed: parts.keys,
    ceilings: ceilingsOf(config),
    engine: { version: engineVersion() },
  })),
  ...registeredHandlers().map(providerOf),
];

/** Returns the version in the `package.json` of this installation; `unknown` inside a bundle of another program. */
const engineVersion = (): string => {
  if (!import.meta.url.startsWith('file:')) return 'unknown';
  for (
    let folder = dirname(fileURLToPath(import.meta.url));
    folder !== dirname(folder);
    folder = dirname(folder)
  ) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
    if (name === 'palimpsest' && typeof version === 'string') return version;
  }
  return 'unknown';
};
