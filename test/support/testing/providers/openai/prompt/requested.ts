import type { JsonObject } from '@app/kernel';
import { objectsIn } from '../../values/wire-values.js';

/** The input of a request as a list of items: a string is one message of the user. */
export const inputItems = (input: JsonObject[string]): readonly JsonObject[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : objectsIn(input);
