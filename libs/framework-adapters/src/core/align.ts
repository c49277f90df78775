import {
  type AnthropicMessage,
  type Block,
  blocksOf,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  type ToolResultBlock,
} from '@palimpsest/client';

/** A message of a composed request: one of the framework's own, by its index, or one that the service wrote. */
export type Piece = { readonly own: number } | { readonly message: Message };

/** Number of blocks that the service may have inserted between two messages of the history. */
const INSERTED_MAX = 8;

type Placed = { readonly block: Block; readonly at: number; readonly role: Message['role'] };

/**
 * Finds the framework's own messages in a composed request, so that a message that stays verbatim goes out as the object that
 * the framework has: with its provider metadata, and byte-identical for the prompt cache.
 *
 * @param keepsReasoning whether an own message may carry reasoning that the composed one leaves out.
 */
export const align = (
  composed: readonly AnthropicMessage[],
  history: readonly Message[],
  keepsReasoning = true,
): readonly Piece[] => {
  const blocks = composed.flatMap(({ role, content }, at) =>
    content.filter(isSolid).map((block): Placed => ({ block, at, role })),
  );
  const pieces: Piece[] = [];
  let end = blocks.length;
  for (let index = history.length - 1; index >= 0 && end > 0; index -= 1) {
    const message = history[index];
    if (!message) break;
    const wanted = solidBlocks(message);
    if (wanted.length === 0) continue;
    const from = placeOf(wanted, message.role, blocks, end);
    if (from === undefined) break;
    const found = blocks.slice(from, from + wanted.length);
    pieces.unshift(
      isVerbatim(wanted, found) && (keepsReasoning || !hasReasoning(message))
        ? { own: index }
        : { message: { role: message.role, content: found.map(({ block }) => block) } },
      ...written(blocks.slice(from + wanted.length, end)),
    );
    end = from;
  }
  return [...written(blocks.slice(0, end)), ...pieces];
};

/** Returns where the blocks of a message begin; `undefined` if the request does not hold them at its end. */
const placeOf = (
  wanted: readonly Block[],
  role: Message['role'],
  blocks: readonly Placed[],
  end: number,
): number | undefined => {
  for (let skipped = 0; skipped <= INSERTED_MAX; skipped += 1) {
    const from = end - skipped - wanted.length;
    if (from < 0) return undefined;
    const fits = wanted.every((block, at) => {
      const placed = blocks[from + at];
      return placed !== undefined && placed.role === role && isSameBlock(block, placed.block);
    });
    if (fits) return from;
  }
  return undefined;
};

/** Groups blocks of the service to messages as the request has them. */
const written = (blocks: readonly Placed[]): readonly Piece[] => {
  const messages = new Map<number, { role: Message['role']; content: Block[] }>();
  for (const { block, at, role } of blocks) {
    const message = messages.get(at) ?? { role, content: [] };
    message.content.push(block);
    messages.set(at, message);
  }
  return [...messages.values()].map((message) => ({ message }));
};

/** Calls and results are the same by their ID, although the service may have shortened their content. */
const isSameBlock = (own: Block, composed: Block): boolean => {
  if (isText(own)) return isText(composed) && own.text === composed.text;
  if (isToolUse(own)) return isToolUse(composed) && own.id === composed.id;
  if (isToolResult(own)) return isToolResult(composed) && own.tool_use_id === composed.tool_use_id;
  return own.type === composed.type;
};

const isVerbatim = (own: readonly Block[], composed: readonly Placed[]): boolean =>
  own.every((block, at) => {
    const other = composed[at]?.block;
    if (other === undefined) return false;
    if (isToolResult(block)) return isToolResult(other) && resultOf(block) === resultOf(other);
    if (isToolUse(block))
      return isToolUse(other) && JSON.stringify(block.input) === JSON.stringify(other.input);
    return true;
  });

const EMPTY_RESULT = '(no output)';
const resultOf = ({ content = '' }: ToolResultBlock): string => {
  const parts = blocksOf(content).map((part) => (isText(part) ? part.text : JSON.stringify(part)));
  const text = parts.join('\n');
  return text.trim() === '' ? EMPTY_RESULT : text;
};

const isReasoning = ({ type }: Block): boolean => type === 'thinking' || type === 'redacted_thinking';
const isSolid = (block: Block): boolean =>
  !isReasoning(block) && !(isText(block) && block.text.trim() === '');
const solidBlocks = ({ content }: Message): readonly Block[] => blocksOf(content).filter(isSolid);
const hasReasoning = ({ content }: Message): boolean => blocksOf(content).some(isReasoning);
