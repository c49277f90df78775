import { createHash, randomBytes } from 'node:crypto';
import type { OwnWitness, SecretBox, WitnessReplyWithType } from '@app/ports';
import {
  answerAddCheckpoint,
  base64,
  EMPTY_ROOT,
  formatNote,
  formatSignerKey,
  formatVerifierKey,
  fromBase64,
  parseAddCheckpoint,
  parseCheckpoint,
  parseSignatures,
  parseSignerKey,
  type SignatureType,
  type SignerKey,
  signedBy,
  signerKey,
  TlogError,
  type TreeHead,
  type VerifierKey,
  type WitnessAnswer,
} from '@app/tlog';
import { type Kysely, sql } from 'kysely';
import { durably } from '../content-keys/tenant-keys.js';
import type { ReadModelDatabase } from '../database.js';
import type { ReadModelTables } from '../tables.js';
import type { Trx } from './append-leaves.js';
import { placeOfWitnessKey } from './log-secrets.js';

/** tlog-witness: witnesses should use ML-DSA-44; clients of today verify Ed25519. */
const KEY_TYPES: readonly SignatureType[] = ['ed25519-cosignature', 'ml-dsa-44-cosignature'];

/** Opens this installation's witness on a migrated database. @param logs keys of the logs that it witnesses. */
export const openWitness = (
  { db }: Pick<ReadModelDatabase, 'db'>,
  box: SecretBox,
  { name, logs }: { readonly name: string; readonly logs: readonly VerifierKey[] },
): OwnWitness => {
  const byOrigin = new Map<string, readonly VerifierKey[]>();
  for (const key of logs) byOrigin.set(key.name, [...(byOrigin.get(key.name) ?? []), key]);
  return new PostgresWitness(db, box, name, byOrigin);
};

class PostgresWitness implements OwnWitness {
  #signers: Promise<readonly SignerKey[]> | undefined;

  constructor(
    private readonly db: Kysely<ReadModelTables>,
    private readonly box: SecretBox,
    private readonly name: string,
    /** By origin. */
    private readonly logs: ReadonlyMap<string, readonly VerifierKey[]>,
  ) {}

  async keys(): Promise<readonly string[]> {
    return this.logs.size === 0 ? [] : (await this.#keys()).map(formatVerifierKey);
  }

  async addCheckpoint(body: string): Promise<WitnessReplyWithType> {
    const origin = originIn(body);
    if (origin === undefined || !this.logs.has(origin)) return replyOf(this.#decide(body, [], undefined));
    const keys = await this.#keys();
    // A cosigned tree that a crash of the server forgets could be followed by another one of its size.
    return replyOf(await durably(this.db, (trx) => this.#answer(trx, origin, keys, body)));
  }

  async checkpoint(originHash: string): Promise<string | undefined> {
    const origin = [...this.logs.keys()].find(
      (one) => createHash('sha256').update(one).digest('hex') === originHash,
    );
    if (origin === undefined) return undefined;
    const { rows } = await sql<{ readonly checkpoint: string | null }>`
      select checkpoint from transparency.witnessed_log where origin = ${origin}`.execute(this.db);
    return rows[0]?.checkpoint ?? undefined;
  }

  /** The row is locked until the transaction ends, so that requests about one log follow each other. */
  async #answer(trx: Trx, origin: string, keys: readonly SignerKey[], body: string): Promise<WitnessAnswer> {
    await sql`insert into transparency.witnessed_log (origin, size, root)
      values (${origin}, 0, ${base64(EMPTY_ROOT)}) on conflict do nothing`.execute(trx);
    const { rows } = await sql<{ readonly size: bigint; readonly root: string }>`
      select size, root from transparency.witnessed_log where origin = ${origin} for update`.execute(trx);
    const last = rows[0] && { size: Number(rows[0].size), root: fromBase64(rows[0].root) ?? EMPTY_ROOT };
    const answer = this.#decide(body, keys, last);
    if (answer.status !== 200) return answer;
    const { size, root } = answer.cosigned;
    const { note } = parseAddCheckpoint(body);
    const checkpoint = formatNote({
      text: note.text,
      signatures: [...signedBy(note, this.logs.get(origin) ?? []), ...parseSignatures(answer.body)],
    });
    await sql`update transparency.witnessed_log set size = ${size}, root = ${base64(root)},
      checkpoint = ${checkpoint} where origin = ${origin}`.execute(trx);
    return answer;
  }

  #decide(body: string, keys: readonly SignerKey[], last: TreeHead | undefined): WitnessAnswer {
    const witness = { keys, logKeys: (origin: string) => this.logs.get(origin), last: () => last };
    return answerAddCheckpoint(witness, body, Math.floor(Date.now() / 1_000));
  }

  /** Made at the first use, and read again after a failure. */
  #keys(): Promise<readonly SignerKey[]> {
    this.#signers ??= Promise.all(KEY_TYPES.map((type) => this.#key(type))).catch((error: unknown) => {
      this.#signers = undefined;
      throw error;
    });
    return this.#signers;
  }

  async #key(type: SignatureType): Promise<SignerKey> {
    const place = placeOfWitnessKey(this.name, type);
    const made = this.box.seal(formatSignerKey(signerKey(this.name, type, randomBytes(32))), place);
    // Another process may have made it in the meantime.
    await durably(this.db, (trx) =>
      sql`insert into transparency.witness_key (name, type, sealed) values (${this.name}, ${type}, ${made})
        on conflict do nothing`.execute(trx),
    );
    const { rows } = await sql<{ readonly sealed: string }>`
      select sealed from transparency.witness_key where name = ${this.name} and type = ${type}`.execute(
      this.db,
    );
    return parseSignerKey(this.box.open(rows[0]?.sealed ?? '', place));
  }
}

const originIn = (body: string): string | undefined => {
  try {
    return parseCheckpoint(parseAddCheckpoint(body).note.text).origin;
  } catch (error) {
    if (error instanceof TlogError) return undefined;
    throw error;
  }
};

const TEXT = 'text/plain; charset=utf-8';

const replyOf = (answer: WitnessAnswer): WitnessReplyWithType => {
  if (answer.status === 200) return { status: 200, type: TEXT, body: answer.body };
  if (answer.status === 409) return { status: 409, type: 'text/x.tlog.size', body: answer.body };
  return { status: answer.status, type: TEXT, body: `${answer.problem}\n` };
};
