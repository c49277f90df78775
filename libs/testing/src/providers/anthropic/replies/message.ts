import type { JsonObject } from '@app/kernel';
import type { Answer, Part, Stop } from '../../replies/reply.js';

/** Who seals the thinking of an answer, part by part: it is bound to what stands before it. */
export type Sealer = (block: JsonObject, before: readonly JsonObject[]) => JsonObject;

/** The content that an answer comes to in Anthropic's blocks; a refusal is none, and told with the stop alone. */
export const contentOf = (
  parts: readonly Part[],
  nextCallId: () => string,
  seal: Sealer,
): readonly JsonObject[] => {
  const content: JsonObject[] = [];
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

/** The reason that an answer stops for, and what goes with it. */
export const stopOf = ({ parts, stop }: Answer): JsonObject => {
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
