import type { LogPosition } from '@app/kernel';
import type { SecretBox, StoredEvents, StoredItem, StoredRecord, TransparencyRun } from '@app/ports';
import { formatLogEntry, parseLogEntry } from '@app/proof';
import { type Kysely, sql } from 'kysely';
import { durably } from '../content-keys/tenant-keys.js';
import type { ReadModelDatabase } from '../database.js';
import { withLock } from '../projector/lock.js';
import { pause } from '../projector/progress.js';
import type { ReadTables } from '../rows/read-tables.js';
import type { ReadModelTables } from '../tables.js';
import { appendEvents, readPosition } from './append-events.js';
import { appendEntries, type LogSettings, lockLog, type Trx } from './append-leaves.js';
import { LogSecretStore } from './log-secrets.js';
import { StoredBatches } from './stored-batches.js';

/** The first 60 bits of the SHA-256 of `palimpsest transparency`. */
const TRANSPARENCY_LOCK = 588_206_844_804_102_333n;
const EVENTS_MAX = 1_000;
/** Between two heads of a log that has caught up: a batch and its signature cost the same for one event or a hundred. */
const PAUSE_MAX_MS = 250;
/** Half of the second within which a head has an event: it waits at most for a batch, the pause and its own batch. */
const LAG_MS = 500;
const PAUSE_AFTER_FAILURE_MS = 1_000;

type TransparencyOptions = {
  /** Migrated. */
  readonly database: ReadModelDatabase;
  readonly events: StoredEvents;
  /** Seals the keys of logs with the key of the installation. */
  readonly box: SecretBox;
  readonly settings: LogSettings;
  /** Called for each failure, after which it goes on from its position. */
  readonly onError: (error: unknown) => void;
};

/** Returns the work that adds all events to the logs of their tenants. Of all processes on one database one does it at a time. */
export const transparencyRun =
  ({ database, events, box, settings, onError }: TransparencyOptions): TransparencyRun =>
  async (signal) => {
    const tables = database.db.withTables<ReadTables>();
    while (!signal.aborted) {
      try {
        await withLock(tables, TRANSPARENCY_LOCK, signal, async (connection) => {
          // Statements go over the connection that holds the lock.
          const own: Kysely<ReadModelTables> = connection.withTables<ReadModelTables>();
          const secrets = new LogSecretStore(box);
          await secrets.reseal(own);
          await recordPolicy(own, secrets, settings);
          await follow(own, events, secrets, settings, signal);
        });
      } catch (error) {
        if (signal.aborted) return;
        onError(error);
        await pause(PAUSE_AFTER_FAILURE_MS, signal);
      }
    }
  };

/** Ends when `signal` aborts, or another process has moved the position. */
const follow = async (
  connection: Kysely<ReadModelTables>,
  events: StoredEvents,
  secrets: LogSecretStore,
  settings: LogSettings,
  signal: AbortSignal,
): Promise<void> => {
  let at = await readPosition(connection);
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  const batches = new StoredBatches(events.follow(at, until));
  try {
    while (!signal.aborted) {
      const items = await batches.take(EVENTS_MAX);
      if (!items) return;
      const to = positionOf(items);
      if (to === undefined) continue;
      const records = items.flatMap(recordIn);
      const startedAt = performance.now();
      if ((await appendEvents(connection, records, { from: at, to }, secrets, settings)) === 'overtaken')
        return;
      at = to;
      if (records.length < EVENTS_MAX) await pause(pauseAfter(performance.now() - startedAt), signal);
    }
  } finally {
    stop.abort();
    await batches.close();
  }
};

/** The slower a batch is, the less time is left for a pause. */
const pauseAfter = (batchMs: number): number => Math.max(0, Math.min(PAUSE_MAX_MS, LAG_MS - 2 * batchMs));

const recordIn = (item: StoredItem): readonly StoredRecord[] => (item.kind === 'stored' ? [item.record] : []);

const positionOf = (items: readonly StoredItem[]): LogPosition | undefined => {
  const last = items.findLast((item) => item.kind !== 'caught-up');
  if (!last) return undefined;
  return last.kind === 'stored' ? last.record.position : last.position;
};

/** Adds an entry with the policy to each log that has published another one: the settings have changed. */
const recordPolicy = async (
  db: Kysely<ReadModelTables>,
  secrets: LogSecretStore,
  settings: LogSettings,
): Promise<void> => {
  const { rows } = await sql<{ readonly tenant: string }>`
    select tenant from transparency.log order by tenant`.execute(db);
  for (const { tenant } of rows)
    await durably(db, async (trx) => {
      if ((await publishedPolicy(trx, tenant)) === settings.witnessPolicy) return;
      const log = await lockLog(trx, tenant, secrets, settings);
      const text = formatLogEntry({ kind: 'policy', policy: settings.witnessPolicy });
      await appendEntries(trx, [{ log, entries: [{ text }] }]);
    });
};

/** Returns the newest policy of a log without the lines of its keys. */
const publishedPolicy = async (trx: Trx, tenant: string): Promise<string | undefined> => {
  const { rows } = await sql<{ readonly entry: string }>`
    select entry from transparency.entry where tenant = ${tenant} and stream is null
    order by index desc`.execute(trx);
  for (const { entry } of rows) {
    const parsed = parseLogEntry(entry);
    if (parsed?.kind === 'policy' || parsed?.kind === 'log') return parsed.policy.replace(/^log .*\n/gm, '');
  }
  return undefined;
};
