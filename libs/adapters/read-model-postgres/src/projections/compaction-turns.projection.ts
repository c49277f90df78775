import { type CompactionTurnRow, compactionTurns } from '../rows/read-tables.js';
import { writeRows } from '../rows/write-rows.js';
import type { Projection, SessionLogEvent } from './projection.js';

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
    messages: turn.messages,
    tokens: turn.tokens,
    rule: turn.rule,
    tool_outputs: turn.toolOutputs,
    reasoning: turn.reasoning,
    position,
  }));
};
