import { AppError } from '@app/kernel';
import type { SecretBox } from '@app/ports';
import { type Kysely, sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import type { ReadModelTables } from '../tables.js';
import { openKept, placeOfWebhookSecret } from '../webhooks/open-webhook-secrets.js';
import { placeOfSecret } from './open-secret-store.js';

type Db = Kysely<ReadModelTables>;

/**
 * Reseals secrets sealed with an older key, and seals plain text from before the first key; no-op without a key. Safe
 * to run concurrently.
 *
 * @param onError called for each secret that cannot be opened and is left unchanged. @returns the number of sealed
 *   secrets.
 */
export const resealSecrets = async (
  { db }: ReadModelDatabase,
  box: SecretBox,
  onError: (error: unknown) => void,
): Promise<number> => {
  const { prefix } = box;
  if (prefix === undefined) return 0;
  const opened = (open: () => string): string | undefined => {
    try {
      return open();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      onError(error);
      return undefined;
    }
  };
  let sealed = 0;
  for (const { tenant, name, kept } of await namedSecrets(db, prefix)) {
    const place = placeOfSecret(tenant, name);
    const value = opened(() => box.open(kept, place));
    if (value === undefined) continue;
    // A secret replaced in the meantime is left alone.
    await sql`update tenant_secret set sealed = ${box.seal(value, place)}
      where tenant = ${tenant} and name = ${name} and sealed = ${kept}`.execute(db);
    sealed += 1;
  }
  for (const { tenant, webhook, number, kept } of await webhookSecrets(db, prefix)) {
    const place = placeOfWebhookSecret(tenant, webhook);
    const value = opened(() => openKept(box, kept, place));
    if (value === undefined) continue;
    await sql`update webhook_secret set secret = ${box.seal(value, place)}
      where webhook = ${webhook} and number = ${number} and secret = ${kept}`.execute(db);
    sealed += 1;
  }
  return sealed;
};

type Named = { readonly tenant: string; readonly name: string; readonly kept: string };
const namedSecrets = async (db: Db, prefix: string): Promise<readonly Named[]> =>
  (
    await sql<Named>`select tenant, name, sealed as kept from tenant_secret
      where not starts_with(sealed, ${prefix})`.execute(db)
  ).rows;

type OfWebhook = {
  readonly tenant: string;
  readonly webhook: string;
  readonly number: bigint;
  readonly kept: string;
};
const webhookSecrets = async (db: Db, prefix: string): Promise<readonly OfWebhook[]> =>
  (
    await sql<OfWebhook>`select tenant, webhook, number, secret as kept from webhook_secret
      where not starts_with(secret, ${prefix})`.execute(db)
  ).rows;
