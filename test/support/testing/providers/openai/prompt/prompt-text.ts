import type { JsonObject } from '@app/kernel';
import { without } from '../../values/wire-values.js';

/**
 * Returns the model's input of a request as bytes, whose common prefixes the cache serves. Excludes item ids and
 * cache marks.
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
