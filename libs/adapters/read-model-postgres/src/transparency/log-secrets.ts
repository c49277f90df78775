import { randomBytes } from 'node:crypto';
import type { SecretBox } from '@app/ports';
import { parseSignerKey, type SignerKey, signerKey } from '@app/tlog';
import { type Kysely, sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import type { ReadModelTables } from '../tables.js';

type Db = Kysely<ReadModelTables>;

/** Secrets of a log. `second` signs with ML-DSA-44. */
export type SecretName = 'signer' | 'second' | 'blinding';
export type LogSecrets = {
  readonly signer: SignerKey;
  readonly second: SignerKey | undefined;
  readonly blinding: Uint8Array;
};

const SEED_BYTES = 32;
/** Maximum number of decrypted secrets of a kind in memory. */
const OPENED_MAX = 10_000;

export const newSigner = (origin: string): SignerKey => signerKey(origin, 'ed25519', randomBytes(SEED_BYTES));
export const newSecondSigner = (origin: string): SignerKey =>
  signerKey(origin, 'ml-dsa-44-cosignature', randomBytes(SEED_BYTES));
export const newBlinding = (): string => randomBytes(SEED_BYTES).toString('base64');

/** Reads and writes the secrets of logs, sealed with the key of the installation. */
export class LogSecretStore {
  /** Signers by their sealed form, which changes with the secret. To derive a public key takes nearly as long as to sign. */
  readonly #signers = new Map<string, SignerKey>();
  /** By their sealed form. */
  readonly #blindings = new Map<string, Uint8Array>();

  constructor(private readonly box: SecretBox) {}

  async put(db: Db, tenant: string, name: SecretName, value: string): Promise<void> {
    const sealed = this.box.seal(value, placeOf(tenant, name));
    await sql`insert into transparency.secret (tenant, name, sealed) values (${tenant}, ${name}, ${sealed})
      on conflict (tenant, name) do update set sealed = excluded.sealed`.execute(db);
  }

  /** Returns the secrets of the logs that have them, by tenant. @throws {AppError} `secret-unreadable`. */
  async of(db: Db, tenants: readonly string[]): Promise<ReadonlyMap<string, LogSecrets>> {
    const { rows } = await sql<{
      readonly tenant: string;
      readonly name: SecretName;
      readonly sealed: string;
    }>`
      select tenant, name, sealed from transparency.secret where tenant = any(${tenants}::text[])`.execute(
      db,
    );
    const found = new Map<string, Partial<Record<SecretName, string>>>();
    for (const { tenant, name, sealed } of rows) found.set(tenant, { ...found.get(tenant), [name]: sealed });
    return new Map(
      [...found].flatMap(([tenant, { signer, second, blinding }]): readonly [string, LogSecrets][] => {
        if (signer === undefined || blinding === undefined) return [];
        return [
          [
            tenant,
            {
              signer: this.#signer(tenant, 'signer', signer),
              second: second === undefined ? undefined : this.#signer(tenant, 'second', second),
              blinding: this.#blinding(tenant, blinding),
            },
          ],
        ];
      }),
    );
  }

  /** Returns the key of a log from its sealed form. @throws {AppError} `secret-unreadable`. */
  signer(tenant: string, sealed: string): SignerKey {
    return this.#signer(tenant, 'signer', sealed);
  }

  /** Seals secrets anew that an older key of the installation has sealed. */
  async reseal(db: Db): Promise<void> {
    const { prefix } = this.box;
    if (prefix === undefined) return;
    const { rows } = await sql<{
      readonly tenant: string;
      readonly name: SecretName;
      readonly sealed: string;
    }>`
      select tenant, name, sealed from transparency.secret where not starts_with(sealed, ${prefix})`.execute(
      db,
    );
    for (const { tenant, name, sealed } of rows)
      await sql`update transparency.secret set sealed = ${this.#resealed(sealed, placeOf(tenant, name))}
        where tenant = ${tenant} and name = ${name} and sealed = ${sealed}`.execute(db);
    const own = await sql<{ readonly name: string; readonly type: string; readonly sealed: string }>`
      select name, type, sealed from transparency.witness_key where not starts_with(sealed, ${prefix})`.execute(
      db,
    );
    for (const { name, type, sealed } of own.rows)
      await sql`update transparency.witness_key set sealed = ${this.#resealed(sealed, placeOfWitnessKey(name, type))}
        where name = ${name} and type = ${type} and sealed = ${sealed}`.execute(db);
  }

  #resealed(sealed: string, place: string): string {
    return this.box.seal(this.box.open(sealed, place), place);
  }

  #signer(tenant: string, name: SecretName, sealed: string): SignerKey {
    return opened(this.#signers, sealed, () => parseSignerKey(this.box.open(sealed, placeOf(tenant, name))));
  }

  #blinding(tenant: string, sealed: string): Uint8Array {
    return opened(this.#blindings, sealed, () =>
      Buffer.from(this.box.open(sealed, placeOf(tenant, 'blinding')), 'base64'),
    );
  }
}

const opened = <Secret>(known: Map<string, Secret>, sealed: string, open: () => Secret): Secret => {
  const before = known.get(sealed);
  if (before !== undefined) return before;
  const secret = open();
  if (known.size >= OPENED_MAX) known.clear();
  known.set(sealed, secret);
  return secret;
};

/** Seals the secrets of all logs anew that an older key of the installation has sealed. */
export const resealLogSecrets = ({ db }: Pick<ReadModelDatabase, 'db'>, box: SecretBox): Promise<void> =>
  new LogSecretStore(box).reseal(db);

const placeOf = (tenant: string, name: SecretName): string => `transparency/${tenant}/${name}`;

/** Returns the place that the seal of a key of this installation's witness is bound to. */
export const placeOfWitnessKey = (name: string, type: string): string => `witness/${name}/${type}`;
