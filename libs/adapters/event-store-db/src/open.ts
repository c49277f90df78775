import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@app/kernel';
import type { Clock, EventLog, StoredEvents, Subscriptions, TenantLog } from '@app/ports';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import type { Stores } from './codec/codec.js';
import { parseSessionEvent } from './codec/schema.js';
import { parseTenantEvent } from './codec/tenants/tenant-schemas.js';
import { EventStoreDbLog } from './event-log.js';
import { LogInstallation } from './installation.js';
import { Room } from './room.js';
import { EventStoreDbStoredEvents } from './stored-events.js';
import { EventStoreDbSubscriptions } from './subscriptions.js';
import { Appends } from './wire/appends.js';
import { limitConnecting } from './wire/limit-connecting.js';
import { withFasterReads } from './wire/reads.js';

export type OpenEventStore = {
  readonly log: EventLog;
  readonly tenantLog: TenantLog;
  readonly subscriptions: Subscriptions;
  readonly storedEvents: StoredEvents;
  readonly installation: LogInstallation;
  /** Whether the log takes events: not while its disk is full. */
  takesEvents(): Promise<boolean>;
  close(): Promise<void>;
};

/**
 * Connects to the log. Call once per process: the client keeps pending appends in a process-wide table, so that an
 * error on one connection would fail the appends of every other.
 *
 * @throws {AppError} `invalid-configuration` for an invalid connection string `url`.
 */
export const openEventStore = (url: string, stores: Stores, clock: Clock): OpenEventStore => {
  const client = connect(url);
  const room = new Room(() => client.appendToStream(PROBE_STREAM, jsonEvent({ type: PROBE_TYPE, data: {} })));
  const appends = new Appends(client);
  const reading = withFasterReads(client);
  const log = new EventStoreDbLog(reading, appends, stores, clock, parseSessionEvent, room);
  const tenantLog = new EventStoreDbLog(reading, appends, stores, clock, parseTenantEvent, room);
  return {
    log,
    tenantLog,
    subscriptions: new EventStoreDbSubscriptions(reading, stores),
    storedEvents: new EventStoreDbStoredEvents(reading, stores),
    installation: new LogInstallation(client),
    takesEvents: () => room.takesEvents(),
    close: () => {
      log.close();
      tenantLog.close();
      return disposeOf(client);
    },
  };
};

/** Returns the installation that the log of a server belongs to. @throws {AppError} `event-store-unavailable`. */
export const installationOfLog = async (url: string): Promise<string | undefined> => {
  const client = connect(url);
  try {
    return await new LogInstallation(client).id();
  } finally {
    await disposeOf(client);
  }
};

/** One event in it for each time that the disk was full and has room again. */
const PROBE_STREAM = 'palimpsest_probe';
const PROBE_TYPE = 'RoomFound';

/** Calls that are just being made have no stream yet that could be cancelled: they are in the next turn, or the one after it. */
const disposeOf = async (client: EventStoreDBClient): Promise<void> => {
  for (let turn = 0; turn < DISPOSING_TURNS; turn += 1) {
    await client.dispose();
    await nextTurn();
  }
};
const DISPOSING_TURNS = 5;

const connect = (url: string): EventStoreDBClient => {
  try {
    const client = EventStoreDBClient.connectionString(url);
    limitConnecting(client);
    return client;
  } catch (cause) {
    throw new AppError(
      'invalid-configuration',
      'not a connection string of an event store: use esdb://HOST:PORT?tls=false',
      {
        cause,
      },
    );
  }
};
