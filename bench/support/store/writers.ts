import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, NO_STREAM } from '@eventstore/db-client';
import { millisecondsOf } from '../rounds.js';
import { clientEvent } from './events.js';

export type Load = { readonly writers: number; readonly appends: number };

/** Appends one event to `stream` with `count` events, and resolves when it is on disk. */
export type AppendOne = (stream: string, count: number) => Promise<unknown>;

export const appendBy =
  (client: EventStoreDBClient): AppendOne =>
  (stream, count) =>
    client.appendToStream(stream, clientEvent(), {
      expectedRevision: count === 0 ? NO_STREAM : BigInt(count - 1),
    });

/** Part of stream names, which makes them unique per run. */
const RUN = randomUUID();
let streams = 0;

/** Appends per second. Every writer has its own stream, and one append in flight. */
export const rateOf =
  (appendOne: AppendOne, { writers, appends }: Load) =>
  async (): Promise<number> => {
    const milliseconds = await millisecondsOf(() =>
      Promise.all(
        Array.from({ length: writers }, async () => {
          streams += 1;
          const stream = `bench-${RUN}-${streams}`;
          for (let count = 0; count < appends; count += 1) await appendOne(stream, count);
        }),
      ),
    );
    return ((writers * appends) / milliseconds) * 1_000;
  };

export const connect = (url: string): EventStoreDBClient => EventStoreDBClient.connectionString(url);
