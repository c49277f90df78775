import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { spawnPostgres } from '@app/embedded-postgres';
import { invariant } from '@app/kernel';
import { jsonData, TYPE } from './events.js';
import type { AppendOne } from './writers.js';

/**
 * The folder into which `npm install @event-driven-io/emmett-postgresql` was told to install. It is no dependency of
 * this project: it needs other versions of packages that are in use here.
 */
const FOLDER_SETTING = 'PALIMPSEST_BENCH_EMMETT';
const PACKAGE = '@event-driven-io/emmett-postgresql';

/** Closing it does not wait for its connections to end, and a stop of the server would be an error to them. */
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

/** Emmett's event store on the embedded PostgreSQL; `undefined` where no setting names it. */
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

export const EMMETT_MISSING = `not compared with Emmett: install ${PACKAGE} into a folder and name it in ${FOLDER_SETTING}`;

const isEmmett = (value: unknown): value is EmmettPackage =>
  typeof value === 'object' &&
  value !== null &&
  'getPostgreSQLEventStore' in value &&
  typeof value.getPostgreSQLEventStore === 'function';
