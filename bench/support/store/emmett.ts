import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { spawnPostgres } from '@app/embedded-postgres';
import { invariant } from '@app/kernel';
import { jsonData, TYPE } from './events.js';
import type { AppendOne } from './writers.js';

/**
 * The folder of `npm install @event-driven-io/emmett-postgresql`. Not a dependency of this project, since it needs
 * other versions of packages in use here.
 */
const FOLDER_SETTING = 'PALIMPSEST_BENCH_EMMETT';
const PACKAGE = '@event-driven-io/emmett-postgresql';

/** Closing does not wait for its connections to end, so that stopping the server at once would cause errors. */
const FAREWELL_MS = 500;

type EmmettStore = {
  readonly schema: { migrate(): Promise<unknown> };
  appendToStream(
    stream: string,
    events: readonly { readonly type: string; readonly data: unknown }[],
    options: { readonly expectedStreamVersion: bigint | 'STREAM_DOES_NOT_EXIST' },
  ): Promise<unknown>;
  close(): Promise<void>;
};
type EmmettPackage = { readonly getPostgreSQLEventStore: (url: string) => EmmettStore };

export type Emmett = { readonly appendOne: AppendOne; close(): Promise<void> };

/** Opens Emmett's event store on the embedded PostgreSQL; `undefined` if the setting is missing. */
export const openEmmett = async (folder: string): Promise<Emmett | undefined> => {
  const installed = process.env[FOLDER_SETTING];
  if (!installed) return undefined;
  const emmett: unknown = await import(
    pathToFileURL(createRequire(join(installed, 'package.json')).resolve(PACKAGE)).href
  );
  invariant(isEmmett(emmett), `${PACKAGE} has no getPostgreSQLEventStore`);
  const server = await spawnPostgres({ dataDir: join(folder, 'postgres') });
  const store = emmett.getPostgreSQLEventStore(server.url);
  await store.schema.migrate();
  return {
    appendOne: (stream, count) =>
      store.appendToStream(stream, [{ type: TYPE, data: jsonData() }], {
        expectedStreamVersion: count === 0 ? 'STREAM_DOES_NOT_EXIST' : BigInt(count),
      }),
    close: async () => {
      await store.close();
      await setTimeout(FAREWELL_MS);
      await server.stop();
    },
  };
};

export const EMMETT_MISSING = `not compared with Emmett: install ${PACKAGE} into a folder and set ${FOLDER_SETTING} to it`;

const isEmmett = (value: unknown): value is EmmettPackage =>
  typeof value === 'object' &&
  value !== null &&
  'getPostgreSQLEventStore' in value &&
  typeof value.getPostgreSQLEventStore === 'function';
