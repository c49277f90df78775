import { setTimeout as pause } from 'node:timers/promises';
import type {
  EventStoreDBClient,
  PersistentSubscriptionToAllResolvedEvent,
  PersistentSubscriptionToStreamResolvedEvent,
} from '@eventstore/db-client';
import { inboxOf } from './waiting.js';

type Options = { readonly bufferSize?: number };

/** Connects a consumer to a stream's group, and collects its events. */
export const consumeStream = (
  client: EventStoreDBClient,
  stream: string,
  group: string,
  options: Options = {},
) => {
  const subscription = client.subscribeToPersistentSubscriptionToStream(stream, group, options);
  return { subscription, inbox: inboxOf<PersistentSubscriptionToStreamResolvedEvent>(subscription) };
};

/** Connects a consumer to a group to $all, and collects its events. */
export const consumeAll = (client: EventStoreDBClient, group: string, options: Options = {}) => {
  const subscription = client.subscribeToPersistentSubscriptionToAll(group, options);
  return { subscription, inbox: inboxOf<PersistentSubscriptionToAllResolvedEvent>(subscription) };
};

/** Repeats a query until its answer matches, for effects that follow the server's answer. */
export const eventually = async <Answer>(
  ask: () => Promise<Answer>,
  isAsExpected: (answer: Answer) => boolean,
): Promise<Answer> => {
  for (;;) {
    const answer = await ask();
    if (isAsExpected(answer)) return answer;
    await pause(20);
  }
};
