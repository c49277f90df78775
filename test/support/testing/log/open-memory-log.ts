import { isSessionEventType, isTenantEventType, type SessionEvent, type TenantEvent } from '@app/domain';
import { IsoTime } from '@app/kernel';
import type { Clock, EventLog, StoredEvent, Subscriptions, TenantLog } from '@app/ports';
import { MemoryEventLog } from './memory-event-log.js';
import { MemoryStore } from './memory-store.js';
import { MemorySubscriptions } from './memory-subscriptions.js';

export type MemoryLog = {
  readonly log: EventLog;
  readonly tenantLog: TenantLog;
  readonly subscriptions: Subscriptions;
  /** Returns the reasons of the messages that a group has parked. */
  parkedIn(group: string): readonly string[];
  /** Ends every subscription, as a restart of the log does. */
  loseConnections(): void;
};

const SYSTEM_CLOCK: Clock = { now: () => IsoTime(new Date()) };

const isOfSession = (event: StoredEvent): event is SessionEvent => isSessionEventType(event.type);
const isOfTenant = (event: StoredEvent): event is TenantEvent => isTenantEventType(event.type);

/** An in-memory log for tests; test/contract/event-log runs the contract against it. */
export const openMemoryLog = (clock: Clock = SYSTEM_CLOCK): MemoryLog => {
  const store = new MemoryStore();
  const subscriptions = new MemorySubscriptions(store);
  return {
    log: new MemoryEventLog(store, clock, isOfSession),
    tenantLog: new MemoryEventLog(store, clock, isOfTenant),
    subscriptions,
    parkedIn: (group) => subscriptions.groups.get(group)?.parked.map(({ reason }) => reason) ?? [],
    loseConnections: () => store.loseConnections(),
  };
};
