import { SessionId } from '@app/kernel';
import type { Conversations } from '@app/ports';
import { sql } from 'kysely';
import type { ReadModelDatabase } from '../database.js';
import { storableText } from '../rows/storable.js';

type PlaceRow = { readonly chain: Buffer; readonly session: string; readonly messages: number };

/** Opens the store of client histories on a migrated database. */
export const openConversations = ({ db }: ReadModelDatabase): Conversations => ({
  find: async (tenant, chains) => {
    if (chains.length === 0) return undefined;
    const { rows } = await sql<PlaceRow>`
      select known.chain, known.session, known.messages::integer as messages
      from unnest(${chains.map(bytes)}::bytea[]) with ordinality as asked (chain, place)
      join gateway_conversation as known on known.tenant = ${tenant} and known.chain = asked.chain
      order by asked.place limit 1`.execute(db);
    const [row] = rows;
    return (
      row && { chain: row.chain.toString('hex'), session: SessionId(row.session), messages: row.messages }
    );
  },
  remember: async (tenant, session, places) => {
    if (places.length === 0) return;
    await sql`
      insert into gateway_conversation as known (tenant, chain, session, messages)
      select ${tenant}, chain, ${session}, messages
      from unnest(${places.map(({ chain }) => bytes(chain))}::bytea[], ${places.map(({ messages }) => messages)}::bigint[])
        as said (chain, messages)
      on conflict (tenant, chain) do update set session = excluded.session, messages = excluded.messages`.execute(
      db,
    );
  },
  named: async (tenant, given) => {
    const names = given.filter(isStorable);
    if (names.length === 0) return new Map();
    const { rows } = await sql<{ readonly name: string; readonly digest: Buffer }>`
      select name, digest from gateway_name
      where tenant = ${tenant} and name = any(${names}::text[])`.execute(db);
    return new Map(rows.map(({ name, digest }) => [name, digest.toString('hex')]));
  },
  name: async (tenant, given) => {
    const names = given.filter(({ name }) => isStorable(name));
    if (names.length === 0) return;
    await sql`
      insert into gateway_name (tenant, name, digest)
      select ${tenant}, name, digest
      from unnest(${names.map(({ name }) => name)}::text[], ${names.map(({ digest }) => bytes(digest))}::bytea[])
        as said (name, digest)
      on conflict (tenant, name) do update set digest = excluded.digest`.execute(db);
  },
});

/** PostgreSQL rejects NUL and lone surrogates, so that no stored name contains them. */
const isStorable = (name: string): boolean => storableText(name) === name;

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
