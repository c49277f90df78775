import type { Json } from '@app/kernel';
import { protocolOf } from '../chat/evidence.js';
import type { Recognition } from '../format.js';

/** Whether `value` is a message, a list of messages or a document with one, as OpenAI's chat protocol has them. */
export const recognizeOpenAiMessages = (value: Json): Recognition => {
  const protocol = protocolOf(value);
  if (protocol === 'openai-likely') return 'possible';
  return protocol === 'openai' ? 'certain' : 'no';
};
