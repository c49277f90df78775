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
import { foldSession } from './fold-session.js';

/** One row for each session: where it stands now. */
export const sessionsProjection: Projection = {
  name: 'sessions',
  tables: [sessions.name, sessionMessages.name],
  apply: async (trx, events) => {
    const rows = new Map<string, SessionRow>();
    for (const row of await loadRows(trx, sessions, keysOf(events))) rows.set(sessionKey(row), row);
    const messages = new Map<string, SessionMessageRow>();
    const mentioned = events.flatMap((event) => mentionedBy(event));
    for (const row of await loadRows(trx, sessionMessages, mentioned)) messages.set(messageKey(row), row);

    const appended = new Map<string, SessionMessageRow>();
    for (const recorded of events) {
      const before = rows.get(sessionKey(recorded));
      const row = foldSession(before, recorded, (message) => {
        const found = messages.get(messageKey({ ...recorded, message }));
        return found && { ordinal: found.ordinal, tokens: found.tokens, upTo: found.up_to };
      });
      if (!row) continue;
      rows.set(sessionKey(recorded), row);
      const message = messageOf(recorded, row);
      if (!message) continue;
      messages.set(messageKey(message), message);
      appended.set(messageKey(message), message);
    }
    await writeRows(trx, sessions, [...rows.values()], 'replace');
    await writeRows(trx, sessionMessages, [...appended.values()], 'replace');
    await forgetCovered(trx, compactedIn(events, rows));
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
  if (event.type === 'CompactionCompleted') return [[tenant, session, event.data.cut.messageId]];
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

const compactedIn = (
  events: readonly SessionLogEvent[],
  rows: ReadonlyMap<string, SessionRow>,
): readonly SessionRow[] => {
  const keys = new Set(
    events.filter(({ event }) => event.type === 'CompactionCompleted').map((event) => sessionKey(event)),
  );
  return [...keys].flatMap((key) => rows.get(key) ?? []);
};

/** What a compaction left out of the context is not looked for again: the table stays as small as the contexts. */
const forgetCovered = async (
  trx: Transaction<ReadTables>,
  compacted: readonly SessionRow[],
): Promise<void> => {
  if (compacted.length === 0) return;
  const column = <Name extends 'tenant' | 'session' | 'before_messages' | 'carried'>(name: Name) =>
    arrayOf(
      sessions.columns[name],
      compacted.map((row) => row[name]),
    );
  await sql`delete from session_messages as m
    using unnest(${column('tenant')}, ${column('session')}, ${column('before_messages')}, ${column('carried')})
      as s (tenant, session, before_messages, carried)
    where m.tenant = s.tenant and m.session = s.session
      and m.ordinal < s.before_messages and m.message is distinct from s.carried`.execute(trx);
};
