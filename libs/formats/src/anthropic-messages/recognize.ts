import type { Json } from '@app/kernel';
import { protocolOf } from '../chat/evidence.js';
import type { Recognition } from '../format.js';

/** Whether `value` is a message, a list of messages or a document with one, as Anthropic's protocol has them. */
export const recognizeAnthropicMessages = (value: Json): Recognition => {
  const protocol = protocolOf(value);
  if (protocol === 'either') return 'possible';
  return protocol === 'anthropic' ? 'certain' : 'no';
};
