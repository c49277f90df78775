import type { EventSchema } from '@app/adapters/event-store-db';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';

const DEFINITIONS = '#/definitions/';
const schemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const messageRef = (name: string): JsonObject => ({ $ref: `#/components/messages/${name}` });
const deliveryName = (type: string): string => `delivery.${type}`;
const dataName = (type: string): string => `${type}Data`;

const place: JsonObject = { type: ['string', 'null'], pattern: '^[0-9]+$' };
/** What a stream says beside events. */
const NOTICES: Readonly<Record<string, JsonObject>> = {
  'stream-ended': {
    name: 'stream-ended',
    title: 'The stream ends, and where to resume',
    contentType: 'application/json',
    payload: {
      type: 'object',
      required: ['reason', 'position'],
      properties: { reason: { type: 'string' }, position: place },
    },
  },
  'event-unreadable': {
    name: 'event-unreadable',
    title: 'An event that the service cannot read, in its place',
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

/** AsyncAPI 3: every event of the stream and of webhooks, each a message with the schema of what it carries. */
export const asyncApiOf = (events: readonly EventSchema[]): JsonObject => ({
  asyncapi: '3.0.0',
  id: 'urn:palimpsest:events',
  info: {
    title: 'Palimpsest events',
    version: '1',
    description:
      'Everything that happens to the sessions of a tenant, as it is recorded. Members that a schema does not name may come: ' +
      'a later version adds some. Keys that may not see content get the facts of an event in `data` instead.',
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
        'A POST to the URL that was registered, for each event: a CloudEvent 1.0, signed as Standard Webhooks has it.',
      messages: Object.fromEntries(events.map(({ type }) => [type, messageRef(deliveryName(type))])),
    },
  },
  operations: {
    followEvents: {
      action: 'send',
      channel: { $ref: '#/channels/stream' },
      summary: 'The events of a tenant, in the order of the log.',
    },
    deliverEvents: {
      action: 'send',
      channel: { $ref: '#/channels/webhooks' },
      summary: 'The events of a tenant that a webhook asks for, in the order of each session.',
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
      id: { type: 'string', description: 'The same event has the same id, wherever it is read' },
      position: { type: 'string', pattern: '^[0-9]+$', description: 'Its place in the log' },
      session: { type: 'string' },
      revision: { type: 'integer', minimum: 0, description: 'Its place in its session, without gaps' },
      type: { const: type },
      recordedAt: { type: 'string', format: 'date-time' },
      actor: { type: 'string' },
      correlationId: { type: 'string' },
      causationId: { type: 'string', description: 'The id of the event that caused it' },
      data: schemaRef(dataName(type)),
    },
  },
});

/** An event on its way to a webhook. */
const deliveryOf = (type: string): JsonObject => ({
  name: deliveryName(type),
  title: `${type}, delivered`,
  contentType: 'application/cloudevents+json',
  headers: {
    type: 'object',
    required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
    properties: {
      'webhook-id': { type: 'string', description: 'The same for every try of the same event' },
      'webhook-timestamp': { type: 'string', pattern: '^[0-9]+$', description: 'Seconds since 1970' },
      'webhook-signature': {
        type: 'string',
        description: 'v1, and the base64 of HMAC-SHA256 over id.timestamp.body',
      },
    },
  },
  payload: {
    type: 'object',
    required: ['specversion', 'id', 'source', 'type', 'subject', 'time', 'datacontenttype', 'data'],
    properties: {
      specversion: { const: '1.0' },
      id: { type: 'string', description: 'Of the event' },
      source: { type: 'string', description: '/tenants/TENANT/sessions/SESSION' },
      type: { const: `palimpsest.${type}` },
      subject: { type: 'string', description: 'The session' },
      time: { type: 'string', format: 'date-time' },
      datacontenttype: { const: 'application/json' },
      data: { $ref: `#/components/messages/${type}/payload` },
    },
  },
});

/** The schema of a type, and its definitions under names of their own. */
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
