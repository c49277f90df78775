import type { JsonObject } from '@app/kernel';
import type { TokenCount } from '../../values/token-count.js';
import { listOf, numberOr, objectOf, objectsIn } from '../../values/wire-values.js';
import { isThinking, type Segment, tokensOf } from './segments.js';

export type Edited = {
  readonly segments: readonly Segment[];
  /** `context_management.applied_edits` of the answer. */
  readonly applied: readonly JsonObject[];
};

/** Returns the prompt after a request's clearing edits; the client's history keeps the cleared content. */
export const applyEdits = (segments: readonly Segment[], body: JsonObject, count: TokenCount): Edited =>
  objectsIn(objectOf(body.context_management).edits).reduce<Edited>(
    (edited, edit) => {
      const cleared =
        edit.type === 'clear_thinking_20251015'
          ? clearThinking(edited.segments, edit)
          : edit.type === 'clear_tool_uses_20250919'
            ? clearToolUses(edited.segments, edit, count)
            : undefined;
      return cleared
        ? { segments: cleared.segments, applied: [...edited.applied, ...cleared.applied] }
        : edited;
    },
    { segments, applied: [] },
  );

const clearThinking = (segments: readonly Segment[], edit: JsonObject): Edited | undefined => {
  const keep = objectOf(edit.keep);
  if (keep.type !== 'thinking_turns') return undefined; // Keeps everything.
  const turns = [...new Set(segments.filter(isThinking).map(messageOf))];
  const cleared = turns.slice(0, Math.max(0, turns.length - numberOr(keep.value, 1)));
  const isCleared = (one: Segment) => isThinking(one) && cleared.includes(messageOf(one));
  if (cleared.length === 0) return undefined;
  return {
    segments: segments.filter((one) => !isCleared(one)),
    applied: [
      {
        type: 'clear_thinking_20251015',
        cleared_thinking_turns: cleared.length,
        cleared_input_tokens: tokensOf(segments.filter(isCleared)),
      },
    ],
  };
};

const messageOf = ({ path }: Segment): string => path.split('.').slice(0, 2).join('.');

/** The replacement of a cleared result. */
const CLEARED_TEXT = '[Old tool result content cleared]';

const clearToolUses = (
  segments: readonly Segment[],
  edit: JsonObject,
  count: TokenCount,
): Edited | undefined => {
  const excluded = listOf(edit.exclude_tools);
  const calls = segments.filter(({ block }) => block.type === 'tool_use');
  const { type, value } = objectOf(edit.trigger);
  const size = type === 'tool_uses' ? calls.length : tokensOf(segments);
  if (size <= numberOr(value, 100_000)) return undefined;
  const old = calls.slice(0, Math.max(0, calls.length - numberOr(objectOf(edit.keep).value, 3)));
  const cleared = old.filter(({ block }) => !excluded.includes(block.name ?? null));
  const ids = cleared.map(({ block }) => block.id);
  const inputsOf = edit.clear_tool_inputs;
  const isInputCleared = (name: JsonObject[string]) =>
    inputsOf === true || listOf(inputsOf).includes(name ?? null);
  const after = segments.map((one): Segment => {
    const isResult = one.block.type === 'tool_result' && ids.includes(one.block.tool_use_id);
    const isCall =
      one.block.type === 'tool_use' && ids.includes(one.block.id) && isInputCleared(one.block.name);
    if (!isResult && !isCall) return one;
    const text = `${CLEARED_TEXT}${String(one.block.tool_use_id ?? one.block.id)}`;
    return { ...one, text, tokens: Math.min(one.tokens, count(text)) };
  });
  const freed = tokensOf(segments) - tokensOf(after);
  if (cleared.length === 0 || freed < numberOr(objectOf(edit.clear_at_least).value, 0)) return undefined;
  return {
    segments: after,
    applied: [
      { type: 'clear_tool_uses_20250919', cleared_tool_uses: cleared.length, cleared_input_tokens: freed },
    ],
  };
};

/** Returns the compaction edit if the prompt exceeds its trigger. */
export const dueCompaction = (segments: readonly Segment[], body: JsonObject): JsonObject | undefined => {
  const edit = objectsIn(objectOf(body.context_management).edits).find(
    (one) => one.type === 'compact_20260112',
  );
  const trigger = numberOr(objectOf(edit?.trigger).value, 150_000);
  return edit && tokensOf(segments) > trigger ? edit : undefined;
};
