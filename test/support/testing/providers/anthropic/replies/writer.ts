import type { JsonObject } from '@app/kernel';
import type { TokenCount } from '../../values/token-count.js';
import type { PromptCache } from '../prompt-cache.js';

/** What a server writes its answers with. */
export type Writer = {
  readonly secret: string;
  readonly count: TokenCount;
  readonly cache: PromptCache;
  readonly nextId: (kind: 'msg' | 'toolu') => string;
};

export type Written = {
  readonly message: JsonObject;
  readonly usage: JsonObject;
  /** The usage as a stream tells it at its start. */
  readonly startUsage: JsonObject;
};
