import { z } from 'zod';

/** The last position that PostgreSQL keeps: 2^63 − 1. */
const POSITION_MAX = 2n ** 63n - 1n;

/** A position in the log as JSON has it: digits, since it exceeds the numbers of JSON. */
export const logPosition = (fault: string) =>
  z
    .string()
    .regex(/^\d{1,19}$/, fault)
    .transform(BigInt)
    .refine((position) => position <= POSITION_MAX, fault);
