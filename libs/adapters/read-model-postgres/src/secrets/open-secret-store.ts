import { AppError, IsoTime, SecretName, type TenantId } from '@app/kernel';
import type { NamedSecret, SecretBox, SecretStore } from '@app/ports';
import { sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';

type Row = {
  readonly name: string;
  readonly created_at: Date;
  readonly changed_at: Date;
  readonly last_used_at: Date | null;
};

/** Returns the storage location of a named secret, to which its seal is bound. */
export const placeOfSecret = (tenant: string, name: string): string => `secret/${tenant}/${name}`;

/** Named secrets on a migrated database. */
export const openSecretStore = ({ db, asTenant }: ReadModelDatabase, box: SecretBox): SecretStore => {
  return {
    put: async (tenant, name, value, at) => {
      const sealed = box.seal(value, placeOfSecret(tenant, name));
      const { rows } =
        await sql<Row>`insert into tenant_secret as known (tenant, name, sealed, created_at, changed_at)
        values (${tenant}, ${name}, ${sealed}, ${at}::timestamptz, ${at}::timestamptz)
        on conflict (tenant, name) do update set sealed = excluded.sealed, changed_at = excluded.changed_at
        returning name, created_at, changed_at, last_used_at`.execute(db);
      const [row] = rows.map(secretOf);
      if (!row) throw new AppError('internal', 'the database took a secret and told nothing of it');
      return row;
    },
    list: async (tenant) => {
      const { rows } = await sql<Row>`select name, created_at, changed_at, last_used_at
        from tenant_secret where tenant = ${tenant} order by name`.execute(asTenant(tenant));
      return rows.map(secretOf);
    },
    remove: async (tenant, name) => {
      await sql`delete from tenant_secret where tenant = ${tenant} and name = ${name}`.execute(db);
    },
    read: async (tenant, name) => {
      const { rows } = await sql<{ readonly sealed: string }>`select sealed from tenant_secret
        where tenant = ${tenant} and name = ${name}`.execute(asTenant(tenant));
      const sealed = rows[0]?.sealed;
      if (sealed === undefined) throw new AppError('secret-not-found', `there is no secret "${name}"`);
      const value = box.open(sealed, placeOfSecret(tenant, name));
      await noteUse(db, tenant, name);
      return value;
    },
  };
};

/** To the minute: one that is read all the time is not written all the time. */
const noteUse = async (db: ReadModelDatabase['db'], tenant: TenantId, name: SecretName): Promise<void> => {
  await sql`update tenant_secret set last_used_at = date_trunc('minute', now())
    where tenant = ${tenant} and name = ${name}
      and (last_used_at is null or last_used_at < date_trunc('minute', now()))`.execute(db);
};

const secretOf = ({ name, created_at, changed_at, last_used_at }: Row): NamedSecret => ({
  name: SecretName(name),
  createdAt: IsoTime(created_at),
  changedAt: IsoTime(changed_at),
  lastUsedAt: last_used_at && IsoTime(last_used_at),
});
