import { followLog } from '@app/application';
import { type SessionEvent, type SessionEventType, sessionEventTypes } from '@app/domain';
import { type SessionId, sessionOf, type TenantId } from '@app/kernel';
import type { RecordedInLog, Subscriptions } from '@app/ports';
import type { Type } from '@nestjs/common';
import type { EventBus } from '@nestjs/cqrs';

type DataOf<EventType, Event = SessionEvent> = Event extends SessionEvent
  ? EventType extends Event['type']
    ? Event['data']
    : never
  : never;

/** An event of a session, as the event bus publishes it. Its `data` may contain message text. */
export class RecordedSessionEvent<EventType extends SessionEventType = SessionEventType> {
  constructor(
    readonly tenant: TenantId,
    readonly session: SessionId,
    readonly data: DataOf<EventType>,
    /** The event with its log position, time and actor. */
    readonly recorded: RecordedInLog,
  ) {}
}

const classes = new Map(
  sessionEventTypes().map((type) => {
    class Recorded extends RecordedSessionEvent {}
    return [type, Object.defineProperty(Recorded, 'name', { value: type })];
  }),
);

/** The class of each type of event, for `@EventsHandler(SessionEvents.CompactionCompleted)`. */
// The compiler does not see that each type and its class have the same name.
export const SessionEvents = Object.fromEntries(classes) as {
  readonly [EventType in SessionEventType]: Type<RecordedSessionEvent<EventType>>;
};

/**
 * Publishes events of all processes from now on, in log order, until `signal` aborts. Delivery is not durable: events recorded
 * while no process runs are not published.
 *
 * @throws {AppError} `event-store-unavailable` if the log cannot be read.
 */
export const publishSessionEvents = async (
  bus: EventBus,
  subscriptions: Subscriptions,
  onError: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> => {
  const take = (recorded: RecordedInLog): void => {
    const ref = sessionOf(recorded.stream);
    const Recorded = classes.get(recorded.event.type);
    if (ref && Recorded) bus.publish(new Recorded(ref.tenant, ref.session, recorded.event.data, recorded));
  };
  await followLog(
    { subscriptions, onError, take: (item) => item.kind === 'event' && take(item.recorded) },
    await subscriptions.head(),
    signal,
  );
};
