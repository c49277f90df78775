import type { TokenCounter } from '@app/ports';
import { CountCache } from './count-cache.js';
import { countTokens, type Encode, RUN_MAX } from './count-tokens.js';
import { loadVocabulary } from './vocabulary.js';
import { WordCounts } from './word-counts.js';

/** About 8 MB at two bytes a character: the messages and sections that a few sessions count again and again. */
const CACHE_CHARACTERS = 4_000_000;

/**
 * Counts with OpenAI's o200k_base, the newest published vocabulary. Claude's tokens are more by a factor that
 * depends on the model; the session calibrates it from reported usage.
 *
 * The vocabulary is loaded by the first count and stays for the life of the process. Only a broken installation
 * makes a count throw: to estimate in silence would record figures under a false name.
 */
export const openTokenCounter = (): TokenCounter => {
  const cache = new CountCache(CACHE_CHARACTERS);
  let encode: Encode | undefined;
  const count = (text: string): number => {
    encode ??= openEncoder();
    return countTokens(text, encode);
  };
  return {
    estimator: `o200k_base/split-${RUN_MAX}`,
    count: (text) => (text === '' ? 0 : cache.through(text, count)),
  };
};

/** Only `encode_ordinary` takes special tokens for what they are here, text of somebody; `encode` throws. */
const openEncoder = (): Encode => {
  const vocabulary = loadVocabulary();
  const words = new WordCounts((text) => vocabulary.encode_ordinary(text).length);
  return (piece) => words.count(piece);
};
