import { formatLogEntry, parseLogEntry } from '@app/proof';
import { type Kysely, sql } from 'kysely';
import type { ReadModelTables } from '../tables.js';
import { appendEntries, type LogSettings, lockLog, type Trx } from './append-leaves.js';
import type { LogSecretStore } from './log-secrets.js';

/** Adds an entry with the policy to each log that has published another one: the settings have changed. */
export const recordPolicy = async (
  db: Kysely<ReadModelTables>,
  secrets: LogSecretStore,
  settings: LogSettings,
): Promise<void> => {
  const { rows } = await sql<{ readonly tenant: string }>`
    select tenant from transparency.log order by tenant`.execute(db);
  for (const { tenant } of rows)
    await db.transaction().execute(async (trx) => {
      if ((await publishedPolicy(trx, tenant)) === settings.witnessPolicy) return;
      const log = await lockLog(trx, tenant, secrets, settings);
      const text = formatLogEntry({ kind: 'policy', policy: settings.witnessPolicy });
      await appendEntries(trx, log, [{ text }]);
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
