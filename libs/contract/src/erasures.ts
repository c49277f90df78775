import type { SessionId, SubjectRef } from '@app/kernel';
import { z } from 'zod';
import { branded } from './scalars.js';
import type { Shape } from './shape.js';

const target = z
  .discriminatedUnion('scope', [
    z.object({
      scope: z.literal('subject'),
      subject: branded<SubjectRef>(z.string().describe('The fingerprint of the subject')),
    }),
    z.object({ scope: z.literal('session'), session: branded<SessionId>(z.string()) }),
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
      .describe('The hold or retention period that defers the erasure, with its end'),
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

/** An erasure as callers see it. */
export type ErasureView = Shape<typeof erasure>;
