import { eventSchemas } from '@app/adapters/event-store-db';
import { sessionEventTypes } from '@app/domain';
import { livelyScripts, play } from '@app/testing';
import fc from 'fast-check';
import { z } from 'zod';
import { asyncApiOf } from './asyncapi.js';

const LOCAL = '#/$defs/';
const channel = z.object({ messages: z.record(z.string(), z.object({ $ref: z.string() })) });
const document = z
  .object({
    asyncapi: z.literal('3.0.0'),
    channels: z.object({
      stream: channel,
      webhooks: channel,
    }),
    components: z.object({
      messages: z.record(z.string(), z.object({ payload: z.record(z.string(), z.json()) })),
      schemas: z.record(z.string(), z.record(z.string(), z.json())),
    }),
  })
  .parse(asyncApiOf(eventSchemas()));
const { messages, schemas } = document.components;

const referencesIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference ?? '');

/** Returns the schema of a type's data in the document, as a reader of plain JSON Schema resolves it. */
const readers = new Map<string, z.ZodType>();
const readerOf = (type: string): z.ZodType => {
  const known = readers.get(type);
  if (known) return known;
  const own = Object.entries(schemas).filter(([name]) => name.startsWith(`${type}.`));
  const text = JSON.stringify({ ...schemas[`${type}Data`], $defs: Object.fromEntries(own) });
  const made = z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', LOCAL)));
  readers.set(type, made);
  return made;
};

describe('the AsyncAPI document', () => {
  it('describes every event type in the channel and as a message', () => {
    const types = [...sessionEventTypes()];
    const notices = ['stream-ended', 'event-unreadable'];
    const deliveries = types.map((type) => `delivery.${type}`);
    expect(Object.keys(messages).sort()).toEqual([...types, ...notices, ...deliveries].sort());
    expect(Object.keys(document.channels.stream.messages).sort()).toEqual([...types, ...notices].sort());
    expect(Object.keys(document.channels.webhooks.messages).sort()).toEqual(types.sort());
  });

  it('has no dangling references', () => {
    const names = new Set(Object.keys(schemas).map((name) => `#/components/schemas/${name}`));
    for (const name of Object.keys(messages)) {
      names.add(`#/components/messages/${name}`);
      names.add(`#/components/messages/${name}/payload`);
    }
    const found = [...referencesIn(document.channels), ...referencesIn(document.components)];
    expect(found.length).toBeGreaterThan(sessionEventTypes().length);
    expect(found.filter((reference) => !names.has(reference))).toEqual([]);
  });

  it('has schemas that accept the events of generated sessions', () => {
    fc.assert(
      fc.property(livelyScripts(), (script) => {
        for (const { type, data } of play(script).carried.flatMap(({ events }) => [...events])) {
          const { success, error } = readerOf(type).safeParse(JSON.parse(JSON.stringify(data)));
          if (!success) throw new Error(`${type}: ${z.prettifyError(error)}`);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('has schemas that reject invalid data', () => {
    // Each part of a request may be absent: unchanged parts stay.
    const other = (type: string) => (type === 'RequestPartsChanged' ? { fixedTokens: 'many' } : {});
    expect(sessionEventTypes().filter((type) => readerOf(type).safeParse(other(type)).success)).toEqual([]);
  });
});
