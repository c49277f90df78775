import type { JsonObject } from '@app/kernel';
import type { Answer, Part } from '../../replies/reply.js';

type ItemKind = 'msg' | 'rs' | 'fc' | 'call' | 'cmp';
export type NextId = (kind: ItemKind) => string;
/** Encrypts text that clients cannot read. */
export type Encrypt = (kind: 'reasoning' | 'compaction', text: string) => string;

/** Returns the output items of an answer. `encrypt` is present if the client requested encrypted reasoning. */
export const outputOf = (
  { parts, stop }: Answer,
  nextId: NextId,
  encrypt: Encrypt | undefined,
): readonly JsonObject[] => {
  const items = parts.map((part) => itemOf(part, nextId, encrypt));
  if (stop === undefined) return items;
  return items.map((item, at) =>
    at === items.length - 1 && item.type === 'message' ? { ...item, status: 'incomplete' } : item,
  );
};

const itemOf = (part: Part, nextId: NextId, encrypt: Encrypt | undefined): JsonObject => {
  switch (part.type) {
    case 'text':
      return message(nextId('msg'), { type: 'output_text', text: part.text, annotations: [], logprobs: [] });
    case 'refusal':
      return message(nextId('msg'), { type: 'refusal', refusal: part.text });
    case 'call':
      return {
        ...{ id: nextId('fc'), type: 'function_call', status: 'completed' },
        ...{ call_id: part.id ?? nextId('call'), name: part.name, arguments: JSON.stringify(part.input) },
      };
    case 'thinking':
    case 'redacted-thinking':
      return {
        ...{ id: nextId('rs'), type: 'reasoning' },
        summary: part.type === 'thinking' ? [{ type: 'summary_text', text: part.text }] : [],
        ...(encrypt && { encrypted_content: encrypt('reasoning', part.text) }),
      };
    case 'block':
      return part.block;
  }
};

const message = (id: string, content: JsonObject): JsonObject => ({
  ...{ id, type: 'message', role: 'assistant', status: 'completed', content: [content] },
});
