import { isJsonObject, type Json } from '@app/kernel';
import type { z } from 'zod';
import { jsonSchemaOf } from './json-schema.js';

/** OpenAPI extension for a member that only one answer shows. */
export const SHOWN_ONCE = { 'x-shown-once': true };

/** Results of {@link holdsSecret}, which takes too long to ask for every endpoint at the start, or at every request. */
const known = new WeakMap<z.ZodType, boolean>();

/** Returns whether answers of `shape` have a member with the mark {@link SHOWN_ONCE}. */
export const holdsSecret = (shape: z.ZodType): boolean => {
  const result = known.get(shape) ?? isMarked(jsonSchemaOf(shape, 'output'));
  known.set(shape, result);
  return result;
};

const isMarked = (schema: Json): boolean => {
  if (Array.isArray(schema)) return schema.some((one: Json) => isMarked(one));
  if (!isJsonObject(schema)) return false;
  return schema['x-shown-once'] === true || Object.values(schema).some((one) => isMarked(one ?? null));
};
