import { RETENTION_DAYS_MAX, RETENTION_MODES } from '@app/domain';
import { IsoTime } from '@app/kernel';
import type { Role } from '@app/ports';
import { z } from 'zod';

export const retentionMode = z
  .enum(RETENTION_MODES)
  .meta({ id: 'RetentionMode' })
  .describe(
    '`governance` can be shortened with permission and a reason; `compliance` can only be lengthened',
  );

/** A date of the caller's. */
export const until = z.iso
  .datetime({ offset: true })
  .transform((text) => IsoTime(text))
  .describe('Earliest time at which content may be erased');

export const retentionDefault = z
  .strictObject({
    mode: retentionMode,
    days: z.int().min(1).max(RETENTION_DAYS_MAX).describe('Days after the newest event of the session'),
  })
  .meta({ id: 'RetentionDefault' });

export const retentionPeriod = z
  .object({
    mode: retentionMode,
    until: z.iso.datetime(),
    days: z
      .int()
      .exactOptional()
      .describe('Extends the date to this number of days after each new event; absent for a fixed date'),
  })
  .meta({ id: 'RetentionPeriod' });

export const legalHold = z
  .object({ matter: z.string(), reason: z.string(), by: z.string(), at: z.iso.datetime() })
  .meta({ id: 'LegalHold', description: 'A hold on a session: while it lasts, nothing of it is erased.' });

export const legalHolds = z
  .object({ holds: z.array(legalHold).describe('Oldest first') })
  .meta({ id: 'LegalHolds' });

export const barrier = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('hold'), matter: z.string() }),
    z.object({ kind: z.literal('retention'), mode: retentionMode, until: z.iso.datetime() }),
  ])
  .meta({ id: 'ErasureBarrier', description: 'The first fact that forbids an erasure.' });

/** Roles that may place and release legal holds, and set retention periods. */
export const KEEPERS: readonly Role[] = ['operator', 'admin'];
