import type { auditReadRow, Shape } from '@app/contract';
import type { SessionId, TenantId } from '@app/kernel';
import type { InLog } from './audit.js';

/** `audit`: facts without text; `content`: text that people and models wrote. */
export const READ_KINDS = ['audit', 'content'] as const;
export type ReadKind = (typeof READ_KINDS)[number];

/** A recorded read of a tenant's audit by a caller. */
export type AuditReadRecord = InLog<Shape<typeof auditReadRow>>;

export type AuditReadsQuery = {
  readonly tenant: TenantId;
  readonly kind?: ReadKind;
  readonly session?: SessionId;
  readonly actor?: string;
  /** The last one of the page before. */
  readonly after?: Pick<AuditReadRecord, 'position'>;
  /** At most 1,000. */
  readonly limit: number;
};
