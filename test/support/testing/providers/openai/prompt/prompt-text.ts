import type { JsonObject } from '@app/kernel';
import { without } from '../../values/wire-values.js';

/**
 * The bytes that a request puts before the model, one after another: what two requests share of them from the
 * start is what the prompt cache serves. Ids of items and marks for the cache are not among them.
 */
export const promptText = (
  model: string,
  instructions: JsonObject[string],
  tools: readonly JsonObject[],
  items: readonly JsonObject[],
): string =>
  [
    model,
    ...tools.map((tool) => JSON.stringify(tool)),
    ...(instructions == null ? [] : [JSON.stringify({ role: 'developer', content: instructions })]),
    ...items.map((item) => JSON.stringify(without(item, 'id', 'status', 'prompt_cache_breakpoint'))),
  ].join('\n');
