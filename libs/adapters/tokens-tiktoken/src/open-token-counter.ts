import { BoundedMap } from '@app/kernel';
import type { TokenCounter } from '@app/ports';
import { countTokens, RUN_MAX } from './count-tokens.js';
import { type Encoder, openEncoder } from './word-counts.js';
import { CountingPool } from './worker/counting-pool.js';

/** About 8 MB at two bytes a character: the messages and sections that a few sessions count again and again. */
const CACHE_CHARACTERS = 4_000_000;
/** Cost of an entry besides its text, in characters, which bounds the number of short entries. */
const ENTRY_CHARACTERS = 64;
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
  // Bounded by characters, since a few texts can be larger than all others together.
  const known = new BoundedMap<string, number>(CACHE_CHARACTERS, (_, text) => text.length + ENTRY_CHARACTERS);
  const pool = new CountingPool();
  let encoder: Encoder | undefined;
  const count = (text: string): number => {
    encoder ??= openEncoder();
    return countTokens(text, encoder.encode);
  };
  const keep = (text: string, tokens: number): number => {
    if (text.length + ENTRY_CHARACTERS <= CACHE_CHARACTERS) known.set(text, tokens);
    return tokens;
  };
  const counter: TokenCounter = {
    estimator: `o200k_base/split-${RUN_MAX}`,
    count: (text) => (text === '' ? 0 : keep(text, known.get(text) ?? count(text))),
    ahead: async (texts, tenant) => {
      const unknown = [...new Set(texts)].filter((text) => !known.has(text));
      const characters = unknown.reduce((sum, text) => sum + text.length, 0);
      if (characters < AHEAD_CHARACTERS) return counter;
      const counts = new Map<string, number>();
      const countOne = async (text: string): Promise<void> => {
        const tokens = await pool.count(text, tenant).catch(() => undefined);
        if (tokens !== undefined) counts.set(text, keep(text, tokens));
      };
      await Promise.all(unknown.map(countOne));
      return { ...counter, count: (text) => counts.get(text) ?? counter.count(text) };
    },
    forget: () => {
      known.clear();
      encoder?.forget();
      pool.forget();
    },
  };
  return counter;
};
