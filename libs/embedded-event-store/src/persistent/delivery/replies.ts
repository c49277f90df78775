import { ProtoWriter } from '@app/kernel';
import type { Delivery } from '../../streams/reads/delivery.js';
import { readEvent } from '../../streams/reads/read-replies.js';

/** Encodes `message ReadResp` of the service PersistentSubscriptions. */
export const persistentReplies = {
  confirmation: (subscriptionId: string): Buffer =>
    new ProtoWriter().bytes(2, new ProtoWriter().string(1, subscriptionId).finish()).finish(),
  event: (delivery: Delivery, retryCount: number, structuredIds: boolean): Buffer => {
    const body = readEvent(delivery, structuredIds).integer(5, retryCount).finish();
    return new ProtoWriter(body.length + 8).bytes(1, body).finish();
  },
};
