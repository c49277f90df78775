import type { JsonObject } from '@app/kernel';
import type { TokenCount } from '../../values/token-count.js';
import type { PromptCache } from '../prompt-cache.js';

/** The server state that answers depend on. */
export type Writer = {
  readonly secret: string;
  readonly count: TokenCount;
  readonly cache: PromptCache;
  readonly nextId: (kind: 'msg' | 'toolu') => string;
};

export type Written = {
  readonly message: JsonObject;
  readonly usage: JsonObject;
  /** The usage in a stream's start event. */
  readonly startUsage: JsonObject;
};
