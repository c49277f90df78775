import { z } from 'zod';

/** Maximum of PostgreSQL's `bigint`. */
const POSITION_MAX = 2n ** 63n - 1n;

/** Returns a schema for log positions, strings of digits since they exceed safe integers. `fault` is the error text. */
export const logPosition = (fault: string) =>
  z
    .string()
    .regex(/^\d{1,19}$/, fault)
    .transform(BigInt)
    .refine((position) => position <= POSITION_MAX, fault);
