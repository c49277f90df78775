import type { EventSchema } from '@app/adapters/event-store-db';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';

const DEFINITIONS = '#/definitions/';
const schemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const messageRef = (name: string): JsonObject => ({ $ref: `#/components/messages/${name}` });
const deliveryName = (type: string): string => `delivery.${type}`;
const dataName = (type: string): string => `${type}Data`;

const place: JsonObject = { type: ['string', 'null'], pattern: '^[0-9]+$' };
/** Messages of the stream that are not events. */
const NOTICES: Readonly<Record<string, JsonObject>> = {
  'stream-ended': {
    name: 'stream-ended',
    title: 'End of the stream, with the position to resume from',
    contentType: 'application/json',
    payload: {
      type: 'object',
      required: ['reason', 'position'],
      properties: { reason: { type: 'string' }, position: place },
    },
  },
  'event-unreadable': {
    name: 'event-unreadable',
    title: 'Placeholder for an event that the service cannot decode',
    contentType: 'application/json',
    payload: {
      type: 'object',
      required: ['position', 'session', 'revision', 'type'],
      properties: {
        position: place,
        session: { type: 'string' },
        revision: { type: 'integer', minimum: 0 },
        type: { type: 'string' },
      },
    },
  },
};

/** Returns the AsyncAPI 3 document: one message for each event of the stream and of webhooks, with the schema of its data. */
export const asyncApiOf = (events: readonly EventSchema[]): JsonObject => ({
  asyncapi: '3.0.0',
  id: 'urn:palimpsest:events',
  info: {
    title: 'Palimpsest events',
    version: '1',
    description:
      'Events of the sessions of a tenant, in the order in which they are recorded. Clients must ignore unknown members, since ' +
      'later versions add some. For keys without the permission `content:read`, `data` holds the facts of an event without text.',
  },
  defaultContentType: 'application/json',
  channels: {
    stream: {
      address: '/v1/stream',
      title: 'Server-sent events',
      description: '`id` is the position, `event` the type, and `data` the message.',
      messages: Object.fromEntries(
        [...events.map(({ type }) => type), ...Object.keys(NOTICES)].map((name) => [name, messageRef(name)]),
      ),
    },
    webhooks: {
      address: null,
      title: 'Webhooks',
      description:
        'A POST request to the registered URL for each event: a CloudEvent 1.0, signed according to Standard Webhooks.',
      messages: Object.fromEntries(events.map(({ type }) => [type, messageRef(deliveryName(type))])),
    },
  },
  operations: {
    followEvents: {
      action: 'send',
      channel: { $ref: '#/channels/stream' },
      summary: 'Streams the events of a tenant in log order.',
    },
    deliverEvents: {
      action: 'send',
      channel: { $ref: '#/channels/webhooks' },
      summary: 'Delivers the events that match a webhook’s filters, in order within each session.',
    },
  },
  components: {
    messages: {
      ...Object.fromEntries(events.map(({ type }) => [type, messageOf(type)])),
      ...NOTICES,
      ...Object.fromEntries(events.map(({ type }) => [deliveryName(type), deliveryOf(type)])),
    },
    schemas: Object.fromEntries(events.flatMap(schemasOf)),
  },
});

const messageOf = (type: string): JsonObject => ({
  name: type,
  title: type,
  contentType: 'application/json',
  payload: {
    type: 'object',
    required: [
      'id',
      'position',
      'session',
      'revision',
      'type',
      'recordedAt',
      'actor',
      'correlationId',
      'data',
    ],
    properties: {
      id: { type: 'string', description: 'ID of the event, the same in every place where it is read' },
      position: { type: 'string', pattern: '^[0-9]+$', description: 'Position in the log' },
      session: { type: 'string' },
      revision: { type: 'integer', minimum: 0, description: 'Revision within the session, without gaps' },
      type: { const: type },
      recordedAt: { type: 'string', format: 'date-time' },
      actor: { type: 'string' },
      correlationId: { type: 'string' },
      causationId: { type: 'string', description: 'ID of the event that caused this one' },
      data: schemaRef(dataName(type)),
    },
  },
});

/** Returns the message of a webhook delivery. */
const deliveryOf = (type: string): JsonObject => ({
  name: deliveryName(type),
  title: `${type}, delivered`,
  contentType: 'application/cloudevents+json',
  headers: {
    type: 'object',
    required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
    properties: {
      'webhook-id': { type: 'string', description: 'ID of the event, the same for every attempt' },
      'webhook-timestamp': { type: 'string', pattern: '^[0-9]+$', description: 'Seconds since 1970' },
      'webhook-signature': {
        type: 'string',
        description: '`v1,` followed by the Base64 HMAC-SHA256 of `id.timestamp.body`',
      },
    },
  },
  payload: {
    type: 'object',
    required: ['specversion', 'id', 'source', 'type', 'subject', 'time', 'datacontenttype', 'data'],
    properties: {
      specversion: { const: '1.0' },
      id: { type: 'string', description: 'ID of the event' },
      source: { type: 'string', description: '/tenants/TENANT/sessions/SESSION' },
      type: { const: `palimpsest.${type}` },
      subject: { type: 'string', description: 'ID of the session' },
      time: { type: 'string', format: 'date-time' },
      datacontenttype: { const: 'application/json' },
      data: { $ref: `#/components/messages/${type}/payload` },
    },
  },
});

/** Returns the schema of an event type and its nested definitions, each under a component name with the type as prefix. */
const schemasOf = ({ type, schema }: EventSchema): [string, Json][] => {
  const { definitions = {}, ...own } = schema;
  const name = (definition: string): string => `${type}.${definition}`;
  const inner = isJsonObject(definitions) ? Object.entries(definitions) : [];
  return [
    [dataName(type), rewritten(own, name)],
    ...inner.map(([key, value]): [string, Json] => [name(key), rewritten(value ?? {}, name)]),
  ];
};

const rewritten = (value: Json, name: (definition: string) => string): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => rewritten(item, name));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isRef = key === '$ref' && typeof member === 'string' && member.startsWith(DEFINITIONS);
      const found: Json = isRef
        ? `#/components/schemas/${name(member.slice(DEFINITIONS.length))}`
        : rewritten(member ?? null, name);
      return [key, found];
    }),
  );
};
