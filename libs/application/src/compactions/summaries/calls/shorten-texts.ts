import { type Block, isText, isToolResult, type Message, resultText } from '@app/domain';
import { headAndTail } from '@app/kernel';
import type { TokenCounter } from '@app/ports';

/** Minimum UTF-16 units of a shortened text; less is not informative. */
const TEXT_MIN = 200;

/**
 * Shortens texts and tool results to head and tail, longest first, until the messages take `room` tokens or reach the minimum.
 * Used for summarizers in whose window they do not fit; the log keeps the originals.
 */
export const shortenTexts = (
  messages: readonly Message[],
  room: number,
  counter: TokenCounter,
): readonly Message[] => {
  const texts = messages.flatMap(({ blocks }) => blocks.map(textOfBlock));
  let max = texts.reduce((longest, text) => Math.max(longest, text.length), 0);
  const tokens = (): number => texts.reduce((sum, text) => sum + counter.count(headAndTail(text, max)), 0);
  while (max > TEXT_MIN && tokens() > room) max = Math.max(TEXT_MIN, Math.floor(max / 2));
  return messages.map((message) => ({
    ...message,
    blocks: message.blocks.map((block) => shortened(block, max)),
  }));
};

const textOfBlock = (block: Block): string => {
  if (isText(block)) return block.text;
  return isToolResult(block) ? resultText(block) : '';
};

const shortened = (block: Block, max: number): Block => {
  if (textOfBlock(block).length <= max) return block;
  if (isText(block)) return { ...block, text: headAndTail(block.text, max) };
  return isToolResult(block) ? { ...block, content: headAndTail(resultText(block), max) } : block;
};
