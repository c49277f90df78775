import { type Block, blockFrom } from '@app/domain';
import { isJsonObject, type Json } from '@app/kernel';

/**
 * Returns one of pi's content blocks; `undefined` if it is malformed. Provider signatures of text and calls
 * (`textSignature`, `thoughtSignature`) are dropped.
 */
export const blockOfPi = (block: Json): Block | undefined => {
  if (!isJsonObject(block)) return undefined;
  switch (block.type) {
    case 'text':
      return blockFrom({ type: 'text', text: block.text });
    case 'image':
      return typeof block.data === 'string' && typeof block.mimeType === 'string'
        ? { type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } }
        : blockFrom(block);
    case 'thinking':
      // A redacted block has a placeholder text, which its provider would reject.
      if (block.redacted === true && typeof block.thinkingSignature === 'string')
        return blockFrom({ type: 'redacted_thinking', data: block.thinkingSignature });
      return blockFrom({
        type: 'thinking',
        thinking: block.thinking,
        ...(typeof block.thinkingSignature === 'string' && { signature: block.thinkingSignature }),
      });
    case 'toolCall':
      return blockFrom({ type: 'tool_use', id: block.id, name: block.name, input: block.arguments });
    default:
      return blockFrom(block);
  }
};
