import { ErasureId, LIMITS } from '@app/kernel';
import type { Role } from '@app/ports';
import { z } from 'zod';
import { sessionId, subjectName } from '../sessions/shapes.js';

/** Roles that may erase, and roles that may read erasures. */
export const ERASERS: readonly Role[] = ['privacy', 'admin'];
export const READERS: readonly Role[] = ['privacy', 'auditor', 'operator', 'admin'];

export const erasureIn = (id: string): ErasureId => ErasureId(id);

export const erasureReason = z
  .string()
  .min(1)
  .max(LIMITS.reason.max)
  .describe('Reason for the audit; kept permanently, so it must not contain personal data');

export const requested = z
  .strictObject({
    subject: subjectName
      .exactOptional()
      .describe('Erases a data subject’s content in all sessions of the tenant'),
    session: sessionId.exactOptional().describe('Erases all content of a session'),
    tenant: z.literal(true).exactOptional().describe('Erases all content of the key’s tenant'),
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
