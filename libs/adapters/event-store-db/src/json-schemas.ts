import type { SessionEventType } from '@app/domain';
import { type JsonObject, parseJsonObject } from '@app/kernel';
import { z } from 'zod';
import { SCHEMAS } from './codec/schema.js';

export type EventSchema = { readonly type: string; readonly schema: JsonObject };

/**
 * What the data of each type of event is held to when it is written and read, as JSON Schema (draft 7), where
 * definitions stand at `#/definitions`. Members that it does not name may come.
 */
export const eventSchemas = (): readonly EventSchema[] =>
  Object.entries<z.ZodType>(SCHEMAS satisfies Record<SessionEventType, z.ZodType>).map(([type, shape]) => {
    const { $schema: _, ...schema } = z.toJSONSchema(shape, {
      target: 'draft-7',
      io: 'input',
      unrepresentable: 'any',
    });
    return { type, schema: parseJsonObject(JSON.stringify(schema)) ?? {} };
  });
