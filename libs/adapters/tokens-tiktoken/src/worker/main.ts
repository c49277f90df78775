/** Counts texts in a worker thread, so that the service's event loop stays free. */
import { parentPort } from 'node:worker_threads';
import { countTokens } from '../count-tokens.js';
import { openEncoder } from '../open-encoder.js';
import { type CountAnswer, type CountOrder, FORGET } from './messages.js';

const { encode, forget } = openEncoder();

parentPort?.on('message', (order: CountOrder | typeof FORGET) => {
  if (order === FORGET) return forget();
  const { id, texts } = order;
  const answer: CountAnswer = { id, counts: texts.map((text) => countTokens(text, encode)) };
  parentPort?.postMessage(answer);
});
