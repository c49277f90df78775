import { pick } from '@app/kernel';
import {
  type CompactionRow,
  type CompactionTurnRow,
  compactions,
  compactionTurns,
} from '../../rows/read-tables.js';
import { storableText } from '../../rows/storable.js';
import { loadRows, writeRows } from '../../rows/write-rows.js';
import type { Projection, SessionLogEvent } from '../projection.js';
import { compactionIdOf, foldCompaction } from './fold-compaction.js';

/** One row per requested compaction, from its request to its end. */
export const compactionsProjection: Projection = {
  name: 'compactions',
  tables: [compactions.name],
  apply: async (trx, events) => {
    const concerned = events.flatMap((recorded) => {
      const compaction = compactionIdOf(recorded.event);
      return compaction === undefined ? [] : [{ recorded, key: keyOf({ ...recorded, compaction }) }];
    });
    const keys = new Map(concerned.map(({ key }) => [key.join(' '), key]));
    const rows = new Map<string, CompactionRow>();
    for (const row of await loadRows(trx, compactions, [...keys.values()])) {
      rows.set(keyOf(row).join(' '), row);
    }
    for (const { recorded, key } of concerned) {
      const row = foldCompaction(rows.get(key.join(' ')), recorded);
      if (row) rows.set(key.join(' '), row);
    }
    await writeRows(trx, compactions, [...rows.values()], 'replace');
  },
};

type Key = Pick<CompactionRow, 'tenant' | 'session' | 'compaction'>;
/** As it is in the table. Neither a tenant nor a session has a blank in it. */
const keyOf = ({ tenant, session, compaction }: Key): readonly string[] => [
  tenant,
  session,
  storableText(compaction),
];

/** One row per turn of a completed compaction, with its retention. */
export const compactionTurnsProjection: Projection = {
  name: 'compaction_turns',
  tables: [compactionTurns.name],
  apply: (trx, events) => writeRows(trx, compactionTurns, events.flatMap(rowsOf), 'keep'),
};

const rowsOf = ({ tenant, session, position, event }: SessionLogEvent): readonly CompactionTurnRow[] => {
  if (event.type !== 'CompactionCompleted') return [];
  return event.data.retention.map((turn) => ({
    tenant,
    session,
    compaction: event.data.compactionId,
    turn: turn.turn,
    from_message: turn.from,
    to_message: turn.to,
    ...pick(turn, 'messages', 'tokens', 'rule'),
    tool_outputs: turn.toolOutputs,
    reasoning: turn.reasoning,
    position,
  }));
};
