import { type JsonObject, parseJsonObject } from '@app/kernel';
import { z } from 'zod';
import { SESSION_SCHEMAS } from './codec/generated/event-schemas.js';

export type EventSchema = { readonly type: string; readonly schema: JsonObject };

/**
 * Returns the JSON Schema (draft 7) of each event type's data, as checked on write and read; definitions are at
 * `#/definitions`. Additional members are allowed.
 */
export const eventSchemas = (): readonly EventSchema[] =>
  Object.entries<z.ZodType>(SESSION_SCHEMAS).map(([type, shape]) => {
    const { $schema: _, ...schema } = z.toJSONSchema(shape, {
      target: 'draft-7',
      io: 'input',
      unrepresentable: 'any',
    });
    return { type, schema: parseJsonObject(JSON.stringify(schema)) ?? {} };
  });
