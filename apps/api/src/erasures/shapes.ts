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

const target = z
  .discriminatedUnion('scope', [
    z.object({ scope: z.literal('subject'), subject: z.string().describe('The fingerprint of the subject') }),
    z.object({ scope: z.literal('session'), session: z.string() }),
    z.object({ scope: z.literal('tenant') }),
  ])
  .meta({ id: 'ErasureTarget' });

export const erasure = z
  .object({
    erasure: z.string(),
    state: z.enum(['awaiting-approval', 'deferred', 'in-progress', 'completed', 'withdrawn']),
    target,
    reason: z.string(),
    requestedBy: z.string(),
    requestedAt: z.string(),
    approvedBy: z.string().nullable(),
    deferred: z
      .object({ because: z.string(), until: z.string().nullable() })
      .nullable()
      .describe('What forbids it for now, and until when'),
    receipt: z
      .object({
        keys: z.array(z.string()).describe('Ids of the destroyed keys; empty for a whole tenant'),
        tenantKey: z.string().nullable().describe('The id of the tenant’s destroyed key'),
        counts: z.object({
          keys: z.int(),
          sessions: z.int(),
          places: z.record(z.string(), z.int()).describe('What was removed, by place'),
        }),
        durationMs: z.int(),
        completedAt: z.string(),
      })
      .nullable()
      .describe('Once it is completed'),
  })
  .meta({ id: 'Erasure', description: 'An erasure of content, as the ledger has it.' });

export const policy = z
  .strictObject({
    people: z.union([z.literal(1), z.literal(2)]).describe('2 if another person approves each erasure'),
  })
  .meta({ id: 'ErasurePolicy' });
