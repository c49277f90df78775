import type { DeliveryView } from '@app/contract';
import { AppError, type LogPosition, readLogPosition } from '@app/kernel';
import type { WebhookDelivery } from '@app/ports';

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
