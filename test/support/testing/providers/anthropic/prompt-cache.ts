import type { JsonObject } from '@app/kernel';
import { objectOf } from '../values/wire-values.js';
import { prefixDigests, type Segment, tokensOf } from './prompt/segments.js';

/** The billing of a prompt's tokens; the sum is the whole prompt. */
export type CacheAccount = {
  readonly read: number;
  readonly written5m: number;
  readonly written1h: number;
  readonly uncached: number;
};

type Ttl = '5m' | '1h';
type Mark = {
  /** Segments up to and including the marked one. */ readonly length: number;
  readonly ttl: Ttl;
};

/** The number of blocks before a mark that are searched for an entry. */
const LOOKBACK_BLOCKS = 20;
const MILLISECONDS: Readonly<Record<Ttl, number>> = { '5m': 300_000, '1h': 3_600_000 };

/** Anthropic's prompt cache: entries at marks, found by their exact prefix. */
export class PromptCache {
  private readonly now: () => number;
  /** Expiry and lifetime by digest of the prefix. */
  private readonly entries = new Map<string, { until: number; readonly ttl: Ttl }>();

  constructor(now: () => number) {
    this.now = now;
  }

  /**
   * Returns the read and written tokens of a prompt. A read extends an entry's lifetime.
   * @param min the smallest cached prompt in tokens.
   */
  account(segments: readonly Segment[], body: JsonObject, min: number): CacheAccount {
    const all = tokensOf(segments);
    const marks = marksIn(segments, body);
    const last = marks.at(-1);
    if (!last || tokensOf(segments.slice(0, last.length)) < min)
      return { read: 0, written5m: 0, written1h: 0, uncached: all };
    const digests = this.digestsOf(segments, body);
    const hit = this.longestHit(digests, marks);
    const written: Record<Ttl, number> = { '5m': 0, '1h': 0 };
    let from = hit;
    for (const { length, ttl } of marks.filter((mark) => mark.length > hit)) {
      written[ttl] += tokensOf(segments.slice(from, length));
      this.entries.set(digests[length] ?? '', { until: this.now() + MILLISECONDS[ttl], ttl });
      from = length;
    }
    const read = tokensOf(segments.slice(0, hit));
    return {
      ...{ read, written5m: written['5m'], written1h: written['1h'] },
      uncached: all - read - written['5m'] - written['1h'],
    };
  }

  private longestHit(digests: readonly string[], marks: readonly Mark[]): number {
    let hit = 0;
    for (const { length } of marks)
      for (let at = length; at > Math.max(hit, length - LOOKBACK_BLOCKS); at -= 1) {
        const entry = this.entries.get(digests[at] ?? '');
        if (!entry || entry.until <= this.now()) continue;
        entry.until = this.now() + MILLISECONDS[entry.ttl];
        hit = at;
        break;
      }
    return hit;
  }

  /** Another model or tool invalidates everything; another tool choice or thinking switch only the messages. */
  private digestsOf(segments: readonly Segment[], body: JsonObject): readonly string[] {
    const head = segments.filter(({ place }) => place !== 'messages');
    const messages = segments.slice(head.length);
    const headDigests = prefixDigests(head, String(body.model));
    const switches = JSON.stringify([body.tool_choice ?? null, body.thinking ?? null]);
    return [...headDigests, ...prefixDigests(messages, `${headDigests.at(-1)}${switches}`).slice(1)];
  }
}

/** Returns the marks on blocks in order; one on the request itself applies to its last block. */
const marksIn = (segments: readonly Segment[], body: JsonObject): readonly Mark[] => {
  const marks = segments.flatMap(({ block }, at): readonly Mark[] =>
    block.cache_control == null ? [] : [{ length: at + 1, ttl: ttlOf(block) }],
  );
  const isMarked = marks.at(-1)?.length === segments.length;
  return body.cache_control == null || isMarked
    ? marks
    : [...marks, { length: segments.length, ttl: ttlOf(body) }];
};

const ttlOf = ({ cache_control }: JsonObject): Ttl => (objectOf(cache_control).ttl === '1h' ? '1h' : '5m');
