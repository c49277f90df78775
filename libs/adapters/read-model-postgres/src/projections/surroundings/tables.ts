import { type RowOf, table } from '../../rows/kinds.js';

/** A projection's stored context per session and per compaction. */
export const surroundingTables = (prefix: 'audit' | 'usage') => ({
  sessions: table(`${prefix}_sessions`, ['tenant', 'session'], {
    tenant: 'text',
    session: 'text',
    profile: 'text?',
    model: 'text?',
  }),
  compactions: table(`${prefix}_compactions`, ['tenant', 'session', 'compaction'], {
    tenant: 'text',
    session: 'text',
    compaction: 'text',
    trigger: 'trigger?',
    profile: 'text?',
    summarizer_model: 'text?',
  }),
});
export type SurroundingTables = ReturnType<typeof surroundingTables>;
export type SessionSurroundings = RowOf<SurroundingTables['sessions']['columns']>;
export type CompactionSurroundings = RowOf<SurroundingTables['compactions']['columns']>;
