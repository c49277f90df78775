import type { SessionEvent, TenantEvent } from '@app/domain';
import type { StoredEvent } from '@app/ports';
import type { z } from 'zod';
import { SESSION_SCHEMAS, TENANT_SCHEMAS } from './generated/event-schemas.js';

/** Parses a payload as an event of the requested kind; `undefined` for other types. */
export type ParseEvent<Evt extends StoredEvent> = (type: string, data: unknown) => Evt | undefined;

/**
 * Returns a function that checks payloads by the schema of their type, on write and read. Members that a schema does not
 * name pass unread: a later version adds some.
 */
const parserOf =
  <Evt extends StoredEvent>(schemas: Readonly<Record<Evt['type'], z.ZodType>>): ParseEvent<Evt> =>
  (type, data) => {
    const isKnown = (name: string): name is Evt['type'] => Object.hasOwn(schemas, name);
    // The schema has just held the payload to the type; brands exist in the types alone.
    return isKnown(type) && schemas[type].safeParse(data).success ? ({ type, data } as Evt) : undefined;
  };

export const parseSessionEvent = parserOf<SessionEvent>(SESSION_SCHEMAS);
export const parseTenantEvent = parserOf<TenantEvent>(TENANT_SCHEMAS);

/** Parses an event of a session or a tenant; no type belongs to both. */
export const parseStoredEvent: ParseEvent<StoredEvent> = (type, data) =>
  parseSessionEvent(type, data) ?? parseTenantEvent(type, data);
