import { AppError } from '@app/kernel';
import { type BlobReference, type BlobStore, sha256InSlices } from '@app/ports';
import { type Generated, type Kysely, sql, type Transaction } from 'kysely';

/** The part of the schema that this adapter uses; `migrations/0001_blobs.sql` creates it. */
export type BlobTables = {
  blob: { digest: Buffer; media_type: string; size: bigint; content: Buffer; created_at: Generated<Date> };
};

/** PostgreSQL keeps at most 2^30 − 1 bytes in one value, its own bytes about it included. */
const CONTENT_MAX_BYTES = 1_000_000_000;
/** Bytes per query. The driver copies each piece twice, and receives it as hex of twice its length. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Blobs in the table `blob`. At most 1,000,000,000 bytes each, which takes the server about twice that in
 * memory for a moment; this process needs a few pieces of 1 MiB on top of the content itself.
 */
export class PostgresBlobStore implements BlobStore {
  constructor(private readonly db: Kysely<BlobTables>) {}

  async put(content: Uint8Array, mediaType: string): Promise<BlobReference> {
    if (content.length > CONTENT_MAX_BYTES) {
      const text = `a content of ${content.length} bytes is too large: at most ${CONTENT_MAX_BYTES} can be kept`;
      throw new AppError('append-too-large', text);
    }
    const digest = await sha256InSlices(content);
    if (!(await this.has(digest))) await this.insert(digest, content, mediaType);
    return { digest: digest.toString('hex'), size: content.length, mediaType };
  }

  async get(digest: string): Promise<Uint8Array> {
    if (!/^[0-9a-f]{64}$/.test(digest)) throw new AppError('corrupt-event', `${digest} is no SHA-256 digest`);
    const key = Buffer.from(digest, 'hex');
    const found = await this.db
      .selectFrom('blob')
      .select('size')
      .where('digest', '=', key)
      .executeTakeFirst();
    if (found === undefined) throw new AppError('corrupt-event', `no content has the digest ${digest}`);
    const content = new Uint8Array(Number(found.size));
    for (let at = 0; at < content.length; at += PIECE_BYTES) content.set(await this.slice(key, at), at);
    if (!(await sha256InSlices(content)).equals(key)) {
      throw new AppError('corrupt-event', `the content of digest ${digest} has changed in the database`);
    }
    return content;
  }

  private async has(digest: Buffer): Promise<boolean> {
    const found = this.db.selectFrom('blob').select('digest').where('digest', '=', digest);
    return (await found.executeTakeFirst()) !== undefined;
  }

  /** SQL positions start at 1. Returns an empty buffer beyond the end of the content. */
  private async slice(digest: Buffer, at: number): Promise<Buffer> {
    const piece = sql<Buffer>`substring(content from ${at + 1} for ${PIECE_BYTES})`.as('piece');
    const row = await this.db
      .selectFrom('blob')
      .select(piece)
      .where('digest', '=', digest)
      .executeTakeFirst();
    return row?.piece ?? Buffer.alloc(0);
  }

  private insert(digest: Buffer, content: Uint8Array, mediaType: string): Promise<void> {
    return this.db.transaction().execute(async (trx) => {
      // Durable when the query returns, regardless of the server's setting.
      await sql`set local synchronous_commit = on`.execute(trx);
      const value =
        content.length <= PIECE_BYTES ? sql`${Buffer.from(content)}` : await gathered(trx, content);
      await sql`insert into blob (digest, media_type, size, content)
        values (${digest}, ${mediaType}, ${content.length}, ${value})
        on conflict (digest) do nothing`.execute(trx);
    });
  }
}

/**
 * Sends a large content piece by piece, and returns the expression that puts it together within the server.
 */
const gathered = async (trx: Transaction<BlobTables>, content: Uint8Array) => {
  await sql`create temporary table blob_piece (at integer, piece bytea) on commit drop`.execute(trx);
  await sql`alter table blob_piece alter column piece set storage external`.execute(trx);
  for (let at = 0; at < content.length; at += PIECE_BYTES) {
    const piece = content.subarray(at, at + PIECE_BYTES);
    await sql`insert into blob_piece values (${at}, ${piece})`.execute(trx);
  }
  return sql`(select string_agg(piece, ''::bytea order by at) from blob_piece)`;
};
