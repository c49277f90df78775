import { openAiError } from '../openai-error.js';
import type { Wire } from '../wire.js';
import { chatAnswer, chatAnswerOf } from './answer.js';
import { chatItems } from './items.js';
import { readChat } from './read.js';
import { chatRecall } from './recall.js';

/** OpenAI's chat completions, and compatible servers. */
export const openAiChatWire: Wire = {
  name: 'openai-chat',
  history: 'messages',
  read: readChat,
  namesIn: () => [],
  answer: chatAnswer,
  answerOf: chatAnswerOf,
  itemsOf: chatItems,
  opening: (texts) => ({ items: [{ role: 'user', content: texts.join('\n\n') }], tookFirst: false }),
  ending: /\[DONE\]|"finish_reason":\s*"/,
  preamble: new Set(),
  error: openAiError,
  recall: chatRecall,
};
