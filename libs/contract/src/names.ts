import {
  isSessionEventType,
  KEY_PERMISSIONS,
  KEY_ROLES,
  type SessionEventType,
  sessionEventTypes,
  type TenantDecision,
  tenantDecisionTypes,
} from '@app/domain';
import { FORMATS, type TranscriptFormat } from '@app/formats';
import { ERROR_CODES } from '@app/kernel';
import { z } from 'zod';

/** Names from registries of the domain, which validate them. */
const isOneOf =
  <Name extends string>(names: readonly string[]) =>
  (value: unknown): value is Name =>
    typeof value === 'string' && names.includes(value);

const SESSION_TYPES = [...sessionEventTypes()].sort();
const TENANT_TYPES = [...tenantDecisionTypes()];

export const errorCode = z.enum(ERROR_CODES).meta({
  id: 'ErrorCode',
  description: 'Stable code of an error, explained at `/errors/CODE`',
});
export const eventType = z
  .custom<SessionEventType>(
    (value) => typeof value === 'string' && isSessionEventType(value),
    'give a type: see /asyncapi.json',
  )
  .meta({
    id: 'EventType',
    type: 'string',
    enum: SESSION_TYPES,
    description: 'Type of an event of a session',
  });
const tenantEventType = z.custom<TenantDecision['type']>(isOneOf(TENANT_TYPES)).meta({
  id: 'TenantEventType',
  type: 'string',
  enum: TENANT_TYPES,
  description: 'Type of an event of a tenant: keys, limits, secrets, summarizers, models and webhooks',
});
export const auditEventType = z
  .union([eventType, tenantEventType], 'give the name of an event, such as CompactionCompleted')
  .meta({ id: 'AuditEventType', description: 'Type of an audit row' });
export const transcriptFormat = z.custom<TranscriptFormat>(isOneOf(FORMATS.map(({ name }) => name))).meta({
  id: 'TranscriptFormat',
  type: 'string',
  enum: FORMATS.map(({ name }) => name),
  description: 'Transcript format, detected automatically',
});
export const keyRole = z
  .enum(KEY_ROLES)
  .meta({ id: 'KeyRole', description: 'Operations that a key may call' });
export const keyPermission = z.enum(KEY_PERMISSIONS).meta({
  id: 'KeyPermission',
  description: 'Right of a key besides its role: `content:read` shows text of users and models',
});
