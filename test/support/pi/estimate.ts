import type { Block, CountedMessage, Message } from '@app/domain';
import { Tokens } from '@app/kernel';

/** Pi's size of an image in characters. */
const IMAGE = 4_800;

/** Counts a message as pi does: four characters per token, without overhead. */
export const countedAsPi = (message: Message): CountedMessage => ({
  message,
  tokens: Tokens(Math.ceil(message.blocks.reduce((sum, block) => sum + charactersOf(block), 0) / 4)),
  blockTokens: message.blocks.map((block) => Tokens(Math.ceil(charactersOf(block) / 4))),
  estimator: 'four-characters-1',
});

const charactersOf = (block: Block): number => {
  switch (block.type) {
    case 'text':
      return block.text.length;
    case 'thinking':
      return block.thinking.length;
    case 'tool_use':
      return block.name.length + JSON.stringify(block.input).length;
    case 'tool_result':
      return typeof block.content === 'string'
        ? block.content.length
        : (block.content ?? []).reduce(
            (sum, part) =>
              sum + (typeof part.text === 'string' ? part.text.length : part.type === 'image' ? IMAGE : 0),
            0,
          );
    default:
      return 0;
  }
};
