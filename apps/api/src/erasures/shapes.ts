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
  .describe('Reason for the audit; kept permanently, so it must not contain personal data');

export const requested = z
  .strictObject({
    subject: subjectName.optional().describe('Erases a data subject’s content in all sessions of the tenant'),
    session: sessionId.optional().describe('Erases all content of a session'),
    tenant: z.literal(true).optional().describe('Erases all content of the key’s tenant'),
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
      .describe('Holds and retention periods that block the erasure, with their end'),
    receipt: z
      .object({
        keys: z.array(z.string()).describe('IDs of the destroyed keys; empty for a whole tenant'),
        tenantKey: z.string().nullable().describe('ID of the tenant’s destroyed key'),
        counts: z.object({
          keys: z.int(),
          sessions: z.int(),
          places: z.record(z.string(), z.int()).describe('Number of removed items by place'),
        }),
        durationMs: z.int(),
        completedAt: z.string(),
      })
      .nullable()
      .describe('Receipt of the completed erasure'),
  })
  .meta({ id: 'Erasure', description: 'An erasure of content as recorded in the ledger' });

export const policy = z
  .strictObject({
    people: z.union([z.literal(1), z.literal(2)]).describe('2 if another person approves each erasure'),
  })
  .meta({ id: 'ErasurePolicy' });
