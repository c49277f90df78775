import { IsoTime } from '@app/kernel';
import type { Clock, CompactionHook, ContextProvider } from '@app/ports';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Closers } from '../closers.js';
import type { AppConfig } from '../config.js';
import type { JoinedServers } from '../servers/joined-servers.js';
import {
  APP_CONFIG,
  CLOCK,
  CLOSERS,
  CONTEXT_PROVIDERS,
  HOOKS_IN_PROCESS,
  JOINED_SERVERS,
  METRICS,
  ON_PROBLEM,
  type OnProblem,
} from '../symbols.js';
import type { Metrics } from '../telemetry/metrics.js';

export type Settings = {
  readonly config: AppConfig;
  readonly closers: Closers;
  readonly onProblem: OnProblem;
  readonly hooks: readonly CompactionHook[];
  readonly contextProviders: readonly ContextProvider[];
  readonly metrics: Metrics;
  /** Servers of the parent process. */
  readonly servers: JoinedServers | undefined;
};
const clock: Clock = { now: () => IsoTime(new Date()) };

@Module({})
class SettingsModule {}

/** Provides the options of the process to all modules. */
export const settingsModule = ({
  config,
  closers,
  onProblem,
  hooks,
  contextProviders,
  metrics,
  servers,
}: Settings): DynamicModule => ({
  module: SettingsModule,
  global: true,
  providers: [
    { provide: APP_CONFIG, useValue: config },
    { provide: CLOCK, useValue: clock },
    { provide: CLOSERS, useValue: closers },
    { provide: ON_PROBLEM, useValue: onProblem },
    { provide: HOOKS_IN_PROCESS, useValue: hooks },
    { provide: CONTEXT_PROVIDERS, useValue: contextProviders },
    { provide: METRICS, useValue: metrics },
    { provide: JOINED_SERVERS, useValue: servers },
  ],
  exports: [
    APP_CONFIG,
    CLOCK,
    CLOSERS,
    ON_PROBLEM,
    HOOKS_IN_PROCESS,
    CONTEXT_PROVIDERS,
    METRICS,
    JOINED_SERVERS,
  ],
});
