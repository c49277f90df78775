import type { ProviderEdits } from '@app/domain';
import { isJsonObject, type Json, type JsonObject, ownMember, Tokens } from '@app/kernel';
import { ANTHROPIC_USAGE, listIn, objectIn, stringIn, usageFrom } from '../../drafts/members.js';

/** Context edits of the provider in an answer, and the answer's id if it has one. */
export type ReportedEdits = { readonly edits: ProviderEdits; readonly responseId?: string };

/**
 * Reads a response of Anthropic's Messages API, or a bare list of `applied_edits`; `undefined` for anything else.
 * Compactions are not in the list: the block, the stop reason, or billed passes show them.
 */
export const providerEditsFrom = (value: Json): ReportedEdits | undefined => {
  if (Array.isArray(value)) {
    const list: readonly Json[] = value;
    return list.every(isJsonObject) ? { edits: cleared(list) } : undefined;
  }
  if (!isJsonObject(value) || !isAnswer(value)) return undefined;
  const applied = listIn(objectIn(value, 'context_management') ?? {}, 'applied_edits') ?? [];
  const compaction = compactionIn(value);
  const id = stringIn(value, 'id');
  return {
    edits: { ...cleared(applied.filter(isJsonObject)), ...(compaction && { compaction }) },
    ...(id !== undefined && { responseId: id }),
  };
};

const isAnswer = (value: JsonObject): boolean =>
  value.context_management !== undefined || value.content !== undefined || value.usage !== undefined;

const cleared = (edits: readonly JsonObject[]): ProviderEdits => {
  const sum = (member: string): number => edits.reduce((all, edit) => all + countIn(edit, member), 0);
  return {
    clearedToolUses: sum('cleared_tool_uses'),
    clearedThinkingTurns: sum('cleared_thinking_turns'),
    clearedInputTokens: Tokens(sum('cleared_input_tokens')),
  };
};

const countIn = (edit: JsonObject, member: string): number => {
  const count = ownMember(edit, member);
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : 0;
};

const compactionIn = (answer: JsonObject): ProviderEdits['compaction'] => {
  const passes = objectsIn(objectIn(answer, 'usage') ?? {}, 'iterations').filter(isCompaction);
  // A block without content is a failed compaction, which is billed all the same.
  const isMade = objectsIn(answer, 'content').some(isCompaction) || answer.stop_reason === 'compaction';
  if (!isMade && passes.length === 0) return undefined;
  const paid = passes.flatMap((pass) => usageFrom(pass, ANTHROPIC_USAGE, undefined) ?? []);
  if (paid.length === 0) return {};
  const sum = (member: 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens' | 'outputTokens'): Tokens =>
    Tokens(paid.reduce((all, pass) => all + pass[member], 0));
  return {
    usage: {
      inputTokens: sum('inputTokens'),
      cacheReadTokens: sum('cacheReadTokens'),
      cacheWriteTokens: sum('cacheWriteTokens'),
      outputTokens: sum('outputTokens'),
    },
  };
};

const objectsIn = (record: JsonObject, key: string): readonly JsonObject[] =>
  (listIn(record, key) ?? []).filter(isJsonObject);
const isCompaction = ({ type }: JsonObject): boolean => type === 'compaction';
