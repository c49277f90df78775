import { keyPermission, keyRole } from '@app/contract';
import { KEY_PERMISSIONS } from '@app/domain';
import { IsoTime } from '@app/kernel';
import { z } from 'zod';
import { SHOWN_ONCE } from '../http/shown-once.js';

/** 30 days; for longer overlaps, clients create a second key. */
const OVERLAP_SECONDS_MAX = 30 * 86_400;

export const expiresAt = z.iso
  .datetime({ offset: true })
  .transform((text) => IsoTime(text))
  .refine((time) => time > IsoTime(new Date()), 'give a time that is still to come')
  .nullable()
  .default(null)
  .describe('Time of expiry; `null` for a key that does not expire');
export const label = z.string().max(200).default('').describe('Purpose');
export const overlapSeconds = z
  .int()
  .min(0)
  .max(OVERLAP_SECONDS_MAX)
  .default(86_400)
  .describe('Time during which both keys are valid');
export const permissions = z
  .array(keyPermission)
  .max(KEY_PERMISSIONS.length)
  .default([])
  .describe(
    'Permissions in addition to the role’s: agents and admins have `content:read`, auditors and operators do not',
  );

const keyFacts = {
  keyId: z.string(),
  role: keyRole,
  permissions: z.array(keyPermission).describe('Permissions of the role and granted ones'),
  prefix: z.string().describe('First characters of the key'),
  label: z.string(),
  expiresAt: z.string().nullable(),
};
/** A key that was just made. */
export const issuedKey = z
  .object({
    tenant: z.string(),
    key: z.string().meta(SHOWN_ONCE).describe('The key, which only this answer shows'),
    ...keyFacts,
  })
  .meta({ id: 'IssuedKey', description: 'A new API key.' });
/** The holder of the key of a request. */
export const keyHolder = z
  .object({
    tenant: z.string(),
    actor: z.string(),
    role: keyRole,
    permissions: z.array(keyPermission),
  })
  .meta({ id: 'KeyHolder', description: 'Tenant, role and permissions of an API key.' });
const change = { by: z.string().describe('The actor'), at: z.string() };
export const listedKey = z
  .object({
    ...keyFacts,
    state: z.enum(['active', 'revoked', 'expired']),
    issuedAt: z.string(),
    issuedBy: z.string().describe('The actor'),
    replacedBy: z.string().nullable(),
    rotation: z.object(change).nullable(),
    revocation: z.object({ ...change, reason: z.string() }).nullable(),
    lastUsedAt: z.string().nullable().describe('Time of the last use, to the minute'),
  })
  .meta({ id: 'ListedKey', description: 'An API key, without the key itself.' });

const atLeastOne = z.int().min(1).max(1_000_000_000);
export const limits = z
  .object({
    requestsPerSecond: atLeastOne,
    requestsPerMinute: atLeastOne,
    tokensPerMinute: atLeastOne.describe('Tokens of appended messages per minute'),
    concurrentCompactions: atLeastOne.describe('Compactions that run at the same time in one process'),
  })
  .meta({ id: 'TenantLimits', description: 'Rate limits of a tenant.' });

export const listedTenant = z
  .object({
    tenant: z.string(),
    name: z.string(),
    registeredAt: z
      .string()
      .nullable()
      .describe('`null` for the operator’s tenant, which every installation has'),
    registeredBy: z.string().nullable().describe('The actor'),
    limits,
  })
  .meta({ id: 'ListedTenant' });
