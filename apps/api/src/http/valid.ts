import type { PipeTransform } from '@nestjs/common';
import type { z } from 'zod';
import { InvalidRequest } from './problems.js';

/** A part of the request that has the shape of `schema`, or a refusal that names every fault and quotes nothing. */
export const valid = <Schema extends z.ZodType>(
  schema: Schema,
): PipeTransform<unknown, z.output<Schema>> => ({
  transform: (value) => {
    const parsed = schema.safeParse(value ?? {});
    if (parsed.success) return parsed.data;
    throw new InvalidRequest(
      parsed.error.issues.map(({ path, message }) => ({ at: path.join('.'), problem: message })),
    );
  },
});
