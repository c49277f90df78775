import type { SessionEventType } from '@app/domain';
import {
  AppError,
  type IsoTime,
  type LogPosition,
  type Revision,
  readLogPosition,
  type SessionId,
} from '@app/kernel';
import type { DeliveryState, WebhookDelivery } from '@app/ports';

/** A delivery as the API and the command line show it. */
export type DeliveryView = {
  /** Its id: the position of the event in the log, as a string because JSON has no numbers of 64 bits. */
  readonly delivery: string;
  readonly session: SessionId;
  readonly revision: Revision;
  readonly type: SessionEventType;
  readonly state: DeliveryState;
  /** Attempts so far. */
  readonly attempts: number;
  /** Time of the next attempt; `null` unless the delivery is pending. */
  readonly nextAt: IsoTime | null;
  /** The status or the failure of the last attempt. */
  readonly lastOutcome: string | null;
  readonly lastTriedAt: IsoTime | null;
};

/** Returns the public fields of a delivery. */
export const deliveryView = ({
  position,
  session,
  revision,
  type,
  state,
  ...rest
}: WebhookDelivery): DeliveryView => ({
  delivery: String(position),
  session,
  revision,
  type,
  state,
  attempts: rest.attempts,
  nextAt: state === 'pending' ? rest.nextAt : null,
  lastOutcome: rest.lastOutcome,
  lastTriedAt: rest.lastTriedAt,
});

/**
 * Returns the log position that the id of a delivery stands for.
 *
 * @throws {AppError} `invalid-id`.
 */
export const deliveryPosition = (id: string): LogPosition => {
  const position = readLogPosition(id);
  if (position !== undefined) return position;
  throw new AppError(
    'invalid-id',
    'the ID of the delivery is malformed: pass `delivery` of the list unchanged',
  );
};
