import { type Block, blockFrom } from '@app/domain';
import { isJsonObject, type Json } from '@app/kernel';

/**
 * One of pi's content blocks as one of ours; `undefined` where it is malformed. What pi keeps beside a text or
 * a call only to send it to the provider it came from (`textSignature`, `thoughtSignature`) has no place in it.
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
      // What the provider has blacked out has a line of pi's in its place, which it would refuse.
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
