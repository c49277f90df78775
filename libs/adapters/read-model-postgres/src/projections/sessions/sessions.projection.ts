import { sql, type Transaction } from 'kysely';
import { loadRows } from '../../rows/load-rows.js';
import {
  type ReadTables,
  type SessionMessageRow,
  type SessionRow,
  sessionMessages,
  sessions,
} from '../../rows/read-tables.js';
import { storableText } from '../../rows/storable.js';
import { arrayOf, writeRows } from '../../rows/write-rows.js';
import type { Projection, SessionLogEvent } from '../projection.js';
import { foldSession, type MessagePlace } from './fold-session.js';

/** One row for each session: where it stands now. */
export const sessionsProjection: Projection = {
  name: 'sessions',
  tables: [sessions.name, sessionMessages.name],
  apply: async (trx, events) => {
    const rows = new Map<string, SessionRow>();
    for (const row of await loadRows(trx, sessions, keysOf(events))) rows.set(sessionKey(row), row);
    const known = new Map<string, SessionMessageRow>();
    for (const row of await loadRows(trx, sessionMessages, events.flatMap(mentionedBy))) {
      known.set(messageKey(row), row);
    }

    const appended = new Map<string, SessionMessageRow>();
    const forgotten: Forgotten[] = [];
    for (const recorded of events) {
      const before = rows.get(sessionKey(recorded));
      const row = foldSession(before, recorded, (message) =>
        placeOf(known.get(messageKey({ ...recorded, message }))),
      );
      if (!row) continue;
      rows.set(sessionKey(recorded), row);
      const gone = before && forgottenBy(recorded, row);
      if (gone) {
        forgotten.push(gone);
        for (const messages of [known, appended]) {
          for (const [key, message] of messages) if (isForgotten(message, gone)) messages.delete(key);
        }
      }
      const message = messageOf(recorded, row);
      if (!message) continue;
      known.set(messageKey(message), message);
      appended.set(messageKey(message), message);
    }
    await writeRows(trx, sessions, [...rows.values()], 'replace');
    await forget(trx, forgotten);
    await writeRows(trx, sessionMessages, [...appended.values()], 'replace');
  },
};

type Owned = { readonly tenant: string; readonly session: string };
/** Neither a tenant nor a session has a blank in it. */
const sessionKey = ({ tenant, session }: Owned): string => `${tenant} ${session}`;
const messageKey = ({ tenant, session, message }: Owned & { readonly message: string }): string =>
  `${tenant} ${session} ${storableText(message)}`;

const keysOf = (events: readonly SessionLogEvent[]): readonly (readonly [string, string])[] => [
  ...new Map(events.map((event) => [sessionKey(event), [event.tenant, event.session] as const])).values(),
];

/** Messages whose place the event asks for. */
const mentionedBy = ({ tenant, session, event }: SessionLogEvent): readonly (readonly string[])[] => {
  if (event.type !== 'UsageReported' || event.data.messageId === undefined) return [];
  return [[tenant, session, event.data.messageId]];
};

const messageOf = (
  { tenant, session, event }: SessionLogEvent,
  after: SessionRow,
): SessionMessageRow | undefined => {
  if (event.type !== 'MessageAppended') return undefined;
  const { message, tokens } = event.data;
  const place = { ordinal: after.messages - 1, tokens, up_to: after.appended_tokens };
  return { tenant, session, message: message.id, ...place };
};

const placeOf = (row: SessionMessageRow | undefined): MessagePlace | undefined =>
  row && { ordinal: row.ordinal, tokens: row.tokens, upTo: row.up_to };

/** Messages of a session that have left its context: those before a place, but for one that may be carried on. */
type Forgotten = Owned & { readonly before: number; readonly carried: string | null };

/** What a compaction leaves out is not looked for again: the table stays as small as the contexts. */
const forgottenBy = (
  { tenant, session, event }: SessionLogEvent,
  after: SessionRow,
): Forgotten | undefined => {
  if (event.type === 'CompactionCompleted') {
    return { tenant, session, before: after.before_messages, carried: after.carried };
  }
  // A session that begins again has nothing of what it had.
  if (event.type === 'SessionOpened') {
    return { tenant, session, before: Number.MAX_SAFE_INTEGER, carried: null };
  }
  return undefined;
};

const isForgotten = (row: SessionMessageRow, { tenant, session, before, carried }: Forgotten): boolean =>
  row.tenant === tenant &&
  row.session === session &&
  row.ordinal < before &&
  storableText(row.message) !== carried;

const forget = async (trx: Transaction<ReadTables>, forgotten: readonly Forgotten[]): Promise<void> => {
  if (forgotten.length === 0) return;
  const column = (name: keyof Forgotten) =>
    arrayOf(
      name === 'before' ? 'count' : 'text',
      forgotten.map((one) => one[name]),
    );
  await sql`delete from session_messages as m
    using unnest(${column('tenant')}, ${column('session')}, ${column('before')}, ${column('carried')})
      as f (tenant, session, before, carried)
    where m.tenant = f.tenant and m.session = f.session
      and m.ordinal < f.before and m.message is distinct from f.carried`.execute(trx);
};
