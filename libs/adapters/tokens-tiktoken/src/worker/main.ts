/** Counts texts in a worker thread, so that the service's event loop stays free. */
import { parentPort } from 'node:worker_threads';
import { countTokens } from '../count-tokens.js';
import { openEncoder } from '../open-encoder.js';
import type { CountAnswer, CountOrder } from './messages.js';

const encode = openEncoder();

parentPort?.on('message', ({ id, texts }: CountOrder) => {
  const answer: CountAnswer = { id, counts: texts.map((text) => countTokens(text, encode)) };
  parentPort?.postMessage(answer);
});
