import type { JsonObject } from '@app/kernel';
import { z } from 'zod';

/** Request or answer: members with a default are optional in the former and required in the latter. */
export type Direction = 'input' | 'output';

/** Returns a zod schema as JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export const jsonSchemaOf = (shape: z.ZodType, direction: Direction): JsonObject =>
  JSON.parse(
    JSON.stringify(
      z.toJSONSchema(shape, {
        io: direction,
        unrepresentable: 'any',
        override: ({
          zodSchema: {
            _zod: { def },
          },
          jsonSchema,
        }) => {
          // Bounds of safe integers are noise, a format is more precise than its pattern, and answers of later versions
          // may have further members.
          if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
          if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
          if (jsonSchema.format?.startsWith('date')) delete jsonSchema.pattern;
          const isStrict = def.type === 'object' && 'catchall' in def && def.catchall !== undefined;
          if (direction === 'output' && jsonSchema.additionalProperties === false && !isStrict)
            delete jsonSchema.additionalProperties;
        },
      }),
    ),
  );
