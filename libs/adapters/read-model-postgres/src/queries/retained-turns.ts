import type { PartRule, RetentionRule } from '@app/domain';
import { MessageId, Tokens } from '@app/kernel';
import type { RetainedTurn, RetentionQuery } from '@app/ports';
import type { TenantRows } from '../tenancy/tenant-rows.js';

/** Returns the states of a range of turns at compactions, in the order of the log. */
export const retainedTurns = async (
  rowsOf: TenantRows,
  { tenant, session, from, to }: RetentionQuery,
): Promise<readonly RetainedTurn[]> => {
  const rows = await rowsOf(tenant)
    .selectFrom('compaction_turns')
    .select(['compaction', 'turn', 'from_message', 'to_message', 'messages', 'tokens'])
    .select(['rule', 'tool_outputs', 'reasoning'])
    .where('tenant', '=', tenant)
    .where('session', '=', session)
    .where('turn', '>=', BigInt(from))
    .where('turn', '<=', BigInt(to))
    .orderBy('position')
    .orderBy('turn')
    .execute();
  return rows.map((row) => ({
    compactionId: row.compaction,
    turn: Number(row.turn),
    from: MessageId(row.from_message),
    to: MessageId(row.to_message),
    messages: Number(row.messages),
    tokens: Tokens(Number(row.tokens)),
    // Written by this adapter from events, whose rules they are.
    rule: row.rule as RetentionRule,
    toolOutputs: row.tool_outputs as PartRule,
    reasoning: row.reasoning as PartRule,
  }));
};
