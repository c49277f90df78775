import { sql, type Transaction } from 'kysely';
import { type ReadTables, type SessionRow, sessions } from '../../rows/read-tables.js';
import { loadRows, writeRows } from '../../rows/write-rows.js';
import type { Projection, SessionLogEvent } from '../projection.js';
import { foldSession, setState } from './fold-session.js';

/** One row per session with its current state. */
export const sessionsProjection: Projection = {
  name: 'sessions',
  tables: [sessions.name],
  apply: async (trx, events) => {
    const rows = new Map<string, SessionRow>();
    for (const row of await loadRows(trx, sessions, keysOf(events))) rows.set(sessionKey(row), row);
    for (const recorded of events) {
      const key = sessionKey(recorded);
      const row = foldSession(rows.get(key), recorded);
      if (row) rows.set(key, row);
    }
    for (const row of rows.values()) setState(row);
    await writeRows(trx, sessions, [...rows.values()], 'replace');
    await keep(trx, events);
  },
};

/** Lets the database refuse to destroy keys of sessions in the mode `compliance` (migration 0040): it notes no earlier date. */
const keep = async (trx: Transaction<ReadTables>, events: readonly SessionLogEvent[]): Promise<void> => {
  for (const { tenant, session, event } of events)
    if (event.type === 'RetentionPeriodSet' && event.data.mode === 'compliance')
      await sql`insert into keys.kept (tenant, session, until) values (${tenant}, ${session}, ${event.data.until})
        on conflict (tenant, session) do update set until = excluded.until where kept.until < excluded.until`.execute(
        trx,
      );
};

/** Neither a tenant nor a session has a blank in it. */
const sessionKey = ({ tenant, session }: { readonly tenant: string; readonly session: string }): string =>
  `${tenant} ${session}`;

const keysOf = (events: readonly SessionLogEvent[]): readonly (readonly [string, string])[] => [
  ...new Map(
    events
      .filter(({ stream }, at) => stream !== events[at - 1]?.stream)
      .map((event) => [sessionKey(event), [event.tenant, event.session] as const]),
  ).values(),
];
