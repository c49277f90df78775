import { openAiError } from '../openai-error.js';
import type { Wire } from '../wire.js';
import { responsesAnswer, responsesAnswerOf } from './answer.js';
import { responsesItems } from './items.js';
import { readResponses, referencesIn } from './read.js';
import { responsesRecall } from './recall.js';

/** OpenAI's Responses. */
export const openAiResponsesWire: Wire = {
  name: 'openai-responses',
  history: 'input',
  read: readResponses,
  namesIn: referencesIn,
  answer: responsesAnswer,
  answerOf: responsesAnswerOf,
  itemsOf: responsesItems,
  opening: (texts) => ({ items: [{ role: 'user', content: texts.join('\n\n') }], tookFirst: false }),
  ending: /response\.(?:completed|incomplete|failed)/,
  preamble: new Set(['response.created', 'response.in_progress', 'response.queued']),
  error: openAiError,
  recall: responsesRecall,
};
