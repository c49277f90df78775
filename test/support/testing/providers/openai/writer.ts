import { randomBytes } from 'node:crypto';
import type { JsonObject } from '@app/kernel';
import type { Answer } from '../replies/reply.js';
import { type TokenCount, tokensBy } from '../values/token-count.js';
import type { OpenAiModel } from './models.js';
import { PrefixCache } from './prompt/prefix-cache.js';
import { ResponseStore } from './responses/store.js';

/** A valid request as the model sees it. */
export type Accepted = {
  readonly model: OpenAiModel;
  /** All items, including stored ones. */
  readonly items: readonly JsonObject[];
  /** The text that the prompt cache compares. */
  readonly prompt: string;
  readonly tokens: number;
};

/** The server state that answers depend on. */
export class Writer {
  readonly secret = randomBytes(16).toString('hex');
  readonly count: TokenCount;
  readonly cache: PrefixCache;
  readonly store = new ResponseStore();
  private written = 0;

  constructor(bytesPerToken: number, count?: TokenCount) {
    this.count = count ?? tokensBy(bytesPerToken);
    this.cache = new PrefixCache(bytesPerToken);
  }

  nextId(kind: string): string {
    this.written += 1;
    return `${kind}${kind === 'chatcmpl' ? '-' : '_'}${String(this.written).padStart(24, '0')}`;
  }

  /** Returns the billed output tokens; reasoning is part of the output. */
  outputTokens({ parts, outputTokens }: Answer): { readonly output: number; readonly reasoning: number } {
    const thoughts = parts.flatMap((part) =>
      part.type === 'thinking' || part.type === 'redacted-thinking' ? [part.text] : [],
    );
    const output = outputTokens ?? this.count(JSON.stringify(parts));
    return { output, reasoning: Math.min(this.count(thoughts.join('')), output) };
  }
}
