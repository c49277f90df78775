import type { IsoTime, LogPosition, SessionId, TenantId } from '@app/kernel';

/** `audit`: facts without text; `content`: text that people and models wrote. */
export const READ_KINDS = ['audit', 'content'] as const;
export type ReadKind = (typeof READ_KINDS)[number];

/** A recorded read of a tenant's audit by a caller. */
export type AuditReadRecord = {
  readonly position: LogPosition;
  readonly recordedAt: IsoTime;
  readonly actor: string;
  readonly kind: ReadKind;
  /** Such as `GET /v1/audit`, or `palimpsest export`. */
  readonly endpoint: string;
  /** Whose text; `null` for facts, and for text of several sessions. */
  readonly session: SessionId | null;
  /** Of that session, both inclusive: nothing from outside of them was shown. */
  readonly revisions: { readonly from: number; readonly to: number } | null;
  readonly filters: Readonly<Record<string, unknown>>;
  /** How many rows were given out; `null` for text. */
  readonly rows: number | null;
  /** Why, in the reader's words. */
  readonly reason: string | null;
};

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
