import { NestFactory } from '@nestjs/core';
import { Closers } from './closers.js';
import type { AppConfig } from './config.js';
import { Palimpsest } from './palimpsest.js';
import { type OpenOptions, PalimpsestModule } from './palimpsest.module.js';
import type { JoinedServers } from './servers/joined-servers.js';

/**
 * Starts or connects to the servers, migrates the schema and starts the background work.
 *
 * @param servers running servers of the parent process, instead of the configured or embedded ones.
 * @throws {AppError} as the servers do; nothing is left running then.
 */
export const openPalimpsest = async (
  config: AppConfig,
  options: OpenOptions = {},
  servers?: JoinedServers,
): Promise<Palimpsest> => {
  const closers = new Closers();
  try {
    const engine = PalimpsestModule.forRoot(config, options, closers, servers);
    const app = await NestFactory.createApplicationContext(engine, { logger: false, abortOnError: false });
    return app.get(Palimpsest);
  } catch (error) {
    await closers.close();
    throw error;
  }
};
