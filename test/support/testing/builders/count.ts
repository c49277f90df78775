import type { Block, CountedMessage, Message, ToolResultBlock } from '@app/domain';
import { sumTokens, Tokens } from '@app/kernel';

/** Token overhead of a message and of a block, and the tokens of an image. */
export const MESSAGE_TOKENS = 4;
export const BLOCK_TOKENS = 2;
const IMAGE_TOKENS = 50;
const ESTIMATOR = 'four-characters-1';

/** The tests' counter: four UTF-16 units are a token, so that sums can be checked by hand. */
export const tokensIn = (text: string): number => Math.ceil(text.length / 4);

/** Returns a message as the application passes it to the domain. */
export const counted = (message: Message): CountedMessage => {
  const blockTokens = message.blocks.map((block) => Tokens(BLOCK_TOKENS + blockSize(block)));
  return { message, tokens: sumTokens([MESSAGE_TOKENS, ...blockTokens]), blockTokens, estimator: ESTIMATOR };
};

/** Returns the text length of a message of `tokens` with one text block. */
export const charactersFor = (tokens: number): number => (tokens - MESSAGE_TOKENS - BLOCK_TOKENS) * 4;

const blockSize = (block: Block): number => {
  switch (block.type) {
    case 'text':
      return tokensIn(block.text);
    case 'thinking':
      return tokensIn(block.thinking);
    case 'redacted_thinking':
      return tokensIn(block.data);
    case 'tool_use':
      return tokensIn(block.name) + tokensIn(JSON.stringify(block.input));
    case 'tool_result':
      return resultSize(block);
    case 'image':
    case 'document':
      return IMAGE_TOKENS;
    default:
      return tokensIn(JSON.stringify(block));
  }
};

const resultSize = ({ content }: ToolResultBlock): number => {
  if (content === undefined) return 0;
  if (typeof content === 'string') return tokensIn(content);
  return content.reduce(
    (sum, part) => sum + (typeof part.text === 'string' ? tokensIn(part.text) : IMAGE_TOKENS),
    0,
  );
};
