import type { SecretBox, WebhookSecrets } from '@app/ports';
import { sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';

/** Returns the storage location of a webhook's secrets, to which their seals are bound. */
export const placeOfWebhookSecret = (tenant: string, webhook: string): string =>
  `webhook/${tenant}/${webhook}`;

/** Secrets from before the first key are plain text until they are sealed. */
export const openKept = (box: SecretBox, kept: string, place: string): string =>
  kept.startsWith('whsec_') ? kept : box.open(kept, place);

/** Secrets of webhooks on a migrated database, each sealed. */
export const openWebhookSecrets = ({ db }: ReadModelDatabase, box: SecretBox): WebhookSecrets => ({
  add: async (tenant, webhook, secret) => {
    const sealed = box.seal(secret, placeOfWebhookSecret(tenant, webhook));
    await sql`insert into webhook_secret (tenant, webhook, secret) values (${tenant}, ${webhook}, ${sealed})`.execute(
      db,
    );
  },
  remove: async (tenant, webhook) => {
    await sql`delete from webhook_secret where tenant = ${tenant} and webhook = ${webhook}`.execute(db);
  },
  retireOlder: async (tenant, webhook, at) => {
    await sql`update webhook_secret set valid_until = least(valid_until, ${at}::timestamptz)
      where tenant = ${tenant} and webhook = ${webhook}
        and number < (select max(number) from webhook_secret where webhook = ${webhook})`.execute(db);
    await sql`delete from webhook_secret where webhook = ${webhook} and valid_until < now() - interval '1 day'`.execute(
      db,
    );
  },
  of: async (tenant, webhook, now) => {
    const { rows } = await sql<{ readonly secret: string }>`select secret from webhook_secret
      where tenant = ${tenant} and webhook = ${webhook}
        and (valid_until is null or valid_until > ${now}::timestamptz)
      order by number desc`.execute(db);
    return rows.map(({ secret }) => openKept(box, secret, placeOfWebhookSecret(tenant, webhook)));
  },
});
