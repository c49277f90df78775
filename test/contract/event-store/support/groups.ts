import type {
  EventStoreDBClient,
  PersistentSubscriptionToAllResolvedEvent,
  PersistentSubscriptionToStreamResolvedEvent,
} from '@eventstore/db-client';
import { inboxOf } from './waiting.js';

type Options = { readonly bufferSize?: number };

/** A consumer of a group to a stream, and all that it is given. */
export const consumeStream = (
  client: EventStoreDBClient,
  stream: string,
  group: string,
  options: Options = {},
) => {
  const subscription = client.subscribeToPersistentSubscriptionToStream(stream, group, options);
  return { subscription, inbox: inboxOf<PersistentSubscriptionToStreamResolvedEvent>(subscription) };
};

/** A consumer of a group to $all, and all that it is given. */
export const consumeAll = (client: EventStoreDBClient, group: string, options: Options = {}) => {
  const subscription = client.subscribeToPersistentSubscriptionToAll(group, options);
  return { subscription, inbox: inboxOf<PersistentSubscriptionToAllResolvedEvent>(subscription) };
};

/** Asks again and again until the answer is as it is to be: for what the server does after it has answered. */
export const eventually = async <Answer>(
  ask: () => Promise<Answer>,
  isAsExpected: (answer: Answer) => boolean,
): Promise<Answer> => {
  for (;;) {
    const answer = await ask();
    if (isAsExpected(answer)) return answer;
  }
};
