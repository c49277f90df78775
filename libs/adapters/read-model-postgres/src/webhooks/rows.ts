import { DELIVERY_STATES } from '@app/contract';
import { isSessionEventType } from '@app/domain';
import { IsoTime, invariant, LogPosition, Revision, SessionId, TenantId, WebhookId } from '@app/kernel';
import type { WebhookDelivery } from '@app/ports';
import { sql } from 'kysely';

/** A row as the driver reads it. */
export type DeliveryRow = {
  readonly webhook: string;
  readonly position: bigint;
  readonly tenant: string;
  readonly session: string;
  readonly revision: bigint;
  readonly type: string;
  readonly state: string;
  readonly attempts: bigint;
  readonly next_at: Date;
  readonly last_outcome: string | null;
  readonly last_tried_at: Date | null;
};

/** The columns of a delivery `d`. */
export const DELIVERY_COLUMNS = sql`d.webhook, d.position, d.tenant, d.session, d.revision, d.type, d.state,
  d.attempts, d.next_at, d.last_outcome, d.last_tried_at`;

export const deliveryOf = (row: DeliveryRow): WebhookDelivery => {
  const state = DELIVERY_STATES.find((one) => one === row.state);
  invariant(state !== undefined && isSessionEventType(row.type), 'a delivery has a state and a type of ours');
  return {
    tenant: TenantId(row.tenant),
    webhook: WebhookId(row.webhook),
    position: LogPosition(row.position),
    session: SessionId(row.session),
    revision: Revision(Number(row.revision)),
    type: row.type,
    state,
    attempts: Number(row.attempts),
    nextAt: IsoTime(row.next_at),
    lastOutcome: row.last_outcome,
    lastTriedAt: row.last_tried_at && IsoTime(row.last_tried_at),
  };
};
