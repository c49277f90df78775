/** Counts texts in a worker thread, so that the service's event loop stays free. */
import { parentPort } from 'node:worker_threads';
import { countTokens } from '../count-tokens.js';
import { openEncoder } from '../word-counts.js';

const { encode, forget } = openEncoder();

parentPort?.on('message', ({ text }: CountOrder) => {
  if (text === undefined) return forget();
  parentPort?.postMessage(countTokens(text, encode));
});

/** A text, which is answered with its tokens; without one, the order to drop all words that were counted, which has no answer. */
export type CountOrder = { readonly text?: string };
