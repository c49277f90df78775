import { ErasureId, LIMITS } from '@app/kernel';
import type { Role } from '@app/ports';
import { z } from 'zod';
import { sessionId, subjectName } from '../sessions/shapes.js';

/** Who erases, and who may see what was erased. */
export const ERASERS: readonly Role[] = ['privacy', 'admin'];
export const READERS: readonly Role[] = ['privacy', 'auditor', 'operator', 'admin'];

export const erasureIn = (id: string): ErasureId => ErasureId(id);

export const erasureReason = z
  .string()
  .min(1)
  .max(LIMITS.reason.max)
  .describe('Why, for the audit, without personal data: it is kept for good');

export const requested = z
  .strictObject({
    subject: subjectName.optional().describe('A data subject, in all sessions of the tenant'),
    session: sessionId.optional().describe('A session, with all of its content'),
    tenant: z.literal(true).optional().describe('All content of the tenant of the key'),
    reason: erasureReason,
  })
  .refine(
    ({ subject, session, tenant }) =>
      [subject, session, tenant].filter((one) => one !== undefined).length === 1,
    { message: 'give one of subject, session and tenant' },
  )
  .meta({ id: 'ErasureRequest' });

export const policy = z
  .strictObject({
    people: z.union([z.literal(1), z.literal(2)]).describe('2 if another person approves each erasure'),
  })
  .meta({ id: 'ErasurePolicy' });
