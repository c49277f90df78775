import type { JsonObject } from '@app/kernel';
import { objectIn, stringIn } from '../drafts/members.js';

/**
 * A record that `claude --output-format stream-json`, or its SDK, puts out, as the log has it: there the session, its side chains
 * and its compactions have other names. Any other record as it is.
 */
export const asLogged = (record: JsonObject): JsonObject => {
  const sessionId = stringIn(record, 'session_id');
  if (sessionId === undefined || 'sessionId' in record) return record;
  const calledBy = stringIn(record, 'parent_tool_use_id');
  const { trigger, pre_tokens: preTokens } = objectIn(record, 'compact_metadata') ?? {};
  return {
    ...record,
    sessionId,
    ...(calledBy !== undefined && { isSidechain: true, agentId: calledBy }),
    ...(trigger !== undefined && { compactMetadata: { trigger, preTokens: preTokens ?? null } }),
    ...(isSummary(record) && { isCompactSummary: true }),
  };
};

export const isStreamed = (record: JsonObject): boolean => stringIn(record, 'session_id') !== undefined;

/** The log marks a summary; the output stream only marks it as synthetic, with the usual beginning. */
const isSummary = (record: JsonObject): boolean => {
  if (record.type !== 'user' || record.isSynthetic !== true) return false;
  const content = objectIn(record, 'message')?.content;
  const [first] = Array.isArray(content) ? content : [content];
  const text = typeof first === 'string' ? first : stringIn(first ?? {}, 'text');
  return text?.startsWith('This session is being continued from a previous conversation') === true;
};
