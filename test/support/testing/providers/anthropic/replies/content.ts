import type { JsonObject } from '@app/kernel';
import type { Answer, Part, Stop } from '../../replies/reply.js';
import type { TokenCount } from '../../values/token-count.js';
import { textOr } from '../../values/wire-values.js';

/** Signs the thinking of an answer part by part: it is bound to the content before it. */
type Sealer = (block: JsonObject, before: readonly JsonObject[]) => JsonObject;

/**
 * Returns the content of an answer in Anthropic's blocks, after `before`; a refusal has no content, only a stop
 * reason.
 */
export const contentOf = (
  parts: readonly Part[],
  first: readonly JsonObject[],
  nextCallId: () => string,
  seal: Sealer,
): readonly JsonObject[] => {
  const content = [...first];
  for (const part of parts)
    if (part.type !== 'refusal') content.push(blockOf(part, nextCallId, (block) => seal(block, content)));
  return content;
};

type Said = Exclude<Part, { type: 'refusal' }>;

const blockOf = (
  part: Said,
  nextCallId: () => string,
  seal: (block: JsonObject) => JsonObject,
): JsonObject => {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'call':
      return { type: 'tool_use', id: part.id ?? nextCallId(), name: part.name, input: part.input };
    case 'thinking':
      return seal({ type: 'thinking', thinking: part.text });
    case 'redacted-thinking':
      return seal({ type: 'redacted_thinking', data: part.text });
    case 'block':
      return part.block;
  }
};

/** Returns the stop reason of an answer, with its details. */
export const stopOf = ({ parts, stop }: Pick<Answer, 'parts' | 'stop'>): JsonObject => {
  const said = parts.find((part) => part.type === 'refusal');
  if (stop === 'refusal' || (said && !stop)) return refused(said?.text ?? null);
  if (stop) return { stop_reason: STOP_REASONS[stop] };
  return { stop_reason: parts.some(({ type }) => type === 'call') ? 'tool_use' : 'end_turn' };
};

const STOP_REASONS: Readonly<Record<Exclude<Stop, 'refusal'>, string>> = {
  'max-tokens': 'max_tokens',
  'window-full': 'model_context_window_exceeded',
  pause: 'pause_turn',
};

const refused = (explanation: string | null): JsonObject => ({
  stop_reason: 'refusal',
  stop_details: { type: 'refusal', category: 'general_harms', explanation },
});

/**
 * Returns the part of an answer that fits `room` tokens; `undefined` if all of it does. Truncates a text, and omits a
 * call.
 */
export const fitted = (
  content: readonly JsonObject[],
  room: number,
  count: TokenCount,
): readonly JsonObject[] | undefined => {
  const kept: JsonObject[] = [];
  let left = room;
  for (const block of content) {
    const tokens = count(JSON.stringify(block));
    if (tokens <= left) {
      kept.push(block);
      left -= tokens;
      continue;
    }
    const text = textOr(block.text, '');
    const part = text.slice(0, Math.floor((text.length * left) / tokens));
    return part.trim() === '' ? kept : [...kept, { ...block, text: part }];
  }
  return undefined;
};
