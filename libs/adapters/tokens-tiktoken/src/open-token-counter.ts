import type { TokenCounter } from '@app/ports';
import { CountCache } from './count-cache.js';
import { countTokens, RUN_MAX } from './count-tokens.js';
import { type Encoder, openEncoder } from './word-counts.js';
import { CountingPool } from './worker/counting-pool.js';

/** About 8 MB at two bytes a character: the messages and sections that a few sessions count again and again. */
const CACHE_CHARACTERS = 4_000_000;
/** Texts with fewer characters in total are counted on the calling thread, in some 20 ms at most. */
const AHEAD_CHARACTERS = 32_768;

/**
 * Counts with OpenAI's o200k_base, the newest published vocabulary. Claude's tokens are more by a factor that
 * depends on the model; the session calibrates it from reported usage.
 *
 * The vocabulary is loaded by the first count and stays for the life of the process. Only a broken installation
 * makes a count throw: to estimate in silence would record figures under a false name.
 */
export const openTokenCounter = (): TokenCounter => {
  const cache = new CountCache(CACHE_CHARACTERS);
  const pool = new CountingPool();
  let encoder: Encoder | undefined;
  const count = (text: string): number => {
    encoder ??= openEncoder();
    return countTokens(text, encoder.encode);
  };
  const counter: TokenCounter = {
    estimator: `o200k_base/split-${RUN_MAX}`,
    count: (text) => (text === '' ? 0 : cache.through(text, count)),
    ahead: async (texts, tenant) => {
      const unknown = [...new Set(texts)].filter((text) => !cache.knows(text));
      const characters = unknown.reduce((sum, text) => sum + text.length, 0);
      if (characters < AHEAD_CHARACTERS) return counter;
      const counts = new Map<string, number>();
      const countOne = async (text: string): Promise<void> => {
        const tokens = await pool.count(text, tenant).catch(() => undefined);
        if (tokens !== undefined)
          counts.set(
            text,
            cache.through(text, () => tokens),
          );
      };
      await Promise.all(unknown.map(countOne));
      return { ...counter, count: (text) => counts.get(text) ?? counter.count(text) };
    },
    forget: () => {
      cache.clear();
      encoder?.forget();
      pool.forget();
    },
  };
  return counter;
};
