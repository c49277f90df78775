import { randomUUID } from 'node:crypto';
import { countMessage, type SessionRef, streamOf } from '@app/application';
import type { Message, SessionEvent } from '@app/domain';
import { Actor } from '@app/kernel';
import { MemoryContentKeys } from '@app/testing';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { encode, metadataOf, payloadOf } from '../../../libs/adapters/event-store-db/src/codec/codec.js';
import { parseSessionEvent } from '../../../libs/adapters/event-store-db/src/codec/schema.js';
import { clock, noBlobs } from '../event-store.js';
import { constantCounter } from '../sessions/texts.js';
import type { Append, Appender } from './appender.js';

const SIZE_MAX = 900 * 1_024;
const context = { actor: Actor('key:bench'), correlationId: 'bench/turn-0' };

/** The lower bound of an append: pre-encoded events, sent by the client unchanged. */
export const openBareClient = (url: string): Appender => {
  const client = EventStoreDBClient.connectionString(url);
  return {
    prepare: async (ref, messages) => {
      const stream = streamOf(ref);
      const [first, ...others] = await Promise.all(messages.map((message) => encoded(ref, message)));
      if (!first) return [];
      await client.appendToStream(stream, first, { expectedRevision: NO_STREAM });
      return others.map(
        (event, revision): Append =>
          async () => {
            await client.appendToStream(stream, [event], { expectedRevision: BigInt(revision) });
          },
      );
    },
    close: () => client.dispose(),
  };
};

/** Kept in memory: this client measures appends alone. */
const keys = new MemoryContentKeys();

const encoded = async (ref: SessionRef, message: Message) => {
  const event: SessionEvent = { type: 'MessageAppended', data: countMessage(constantCounter, message) };
  const payload = await payloadOf({ id: randomUUID(), event }, streamOf(ref), parseSessionEvent, keys);
  const about = metadataOf(streamOf(ref), context, clock.now());
  const { id, type, data, metadata } = await encode(payload, about, SIZE_MAX, noBlobs);
  const json = JSON.parse(Buffer.from(data).toString());
  return jsonEvent({ id, type, data: json, metadata: new Uint8Array(metadata) }); // The client takes no subclass.
};
