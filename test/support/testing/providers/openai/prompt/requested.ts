import type { JsonObject } from '@app/kernel';
import { objectsIn } from '../../values/wire-values.js';

/** Returns the input of a request as items: a string is one user message. */
export const inputItems = (input: JsonObject[string]): readonly JsonObject[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : objectsIn(input);
