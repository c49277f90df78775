import type { IsoTime, LogPosition, TenantId } from '@app/kernel';

/** That somebody has looked at what was recorded of a tenant. */
export type AuditReadRecord = {
  readonly position: LogPosition;
  readonly recordedAt: IsoTime;
  readonly actor: string;
  /** Such as `GET /v1/audit`. */
  readonly endpoint: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly rows: number;
};

export type AuditReadsQuery = {
  readonly tenant: TenantId;
  /** The last one of the page before. */
  readonly after?: Pick<AuditReadRecord, 'position'>;
  /** At most 1,000. */
  readonly limit: number;
};
