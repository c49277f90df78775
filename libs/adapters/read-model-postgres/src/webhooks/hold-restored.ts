import { type Kysely, sql } from 'kysely';
import type { ReadModelTables } from '../tables.js';

/** Outcome of a delivery that was not known as delivered when the backup was taken. */
export const RESTORED = 'restored';

/**
 * Makes deliveries of a restored log dead letters, both pending ones and ones that the log still leads to: the
 * installation that the backup was taken of may have sent them.
 *
 * @param end the newest place of the restored log.
 */
export const holdRestoredDeliveries = (db: Kysely<ReadModelTables>, end: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await sql`update webhook_delivery set state = 'dead', last_outcome = ${RESTORED}
      where state = 'pending'`.execute(trx);
    await sql`update webhook_checkpoint set restored_to = ${end}`.execute(trx);
  });
