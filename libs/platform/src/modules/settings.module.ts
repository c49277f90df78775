import { type DynamicModule, Module } from '@nestjs/common';
import type { Closers } from '../closers.js';
import type { AppConfig } from '../config.js';
import { APP_CONFIG, CLOSERS } from '../symbols.js';

@Module({})
class SettingsModule {}

/** What a process was started with; every module may ask for it. */
export const settingsModule = (config: AppConfig, closers: Closers): DynamicModule => ({
  module: SettingsModule,
  global: true,
  providers: [
    { provide: APP_CONFIG, useValue: config },
    { provide: CLOSERS, useValue: closers },
  ],
  exports: [APP_CONFIG, CLOSERS],
});
