import { randomUUID } from 'node:crypto';
import { ProtoWriter } from '@app/kernel';
import { EventId, halvesOf } from '../log/event-id.js';
import type { gossipService, HandlersOf } from '../wire/definitions.js';

/** The address that clients connect to. */
export type Endpoint = { readonly host: string; readonly port: number };

/** `VNodeState` of the protocol. */
const LEADER = 8;
const TICKS_PER_MS = 10_000;

/**
 * Returns the handlers of `Gossip`: a cluster of one node, its leader. `endpoint` is a function because the port is
 * known only after the server is bound.
 */
export const gossipHandlers = (endpoint: () => Endpoint): HandlersOf<typeof gossipService> => {
  const { most, least } = halvesOf(EventId(randomUUID()));
  const id = new ProtoWriter().integer(1, most).integer(2, least).finish();
  return {
    read: (_call, answer) => {
      const { host, port } = endpoint();
      const member = new ProtoWriter(128)
        .bytes(1, new ProtoWriter().bytes(1, id).finish())
        .integer(2, Date.now() * TICKS_PER_MS)
        .integer(3, LEADER)
        .boolean(4, true)
        .bytes(5, new ProtoWriter().string(1, host).integer(2, port).finish())
        .finish();
      answer(null, new ProtoWriter(160).bytes(1, member).finish());
    },
  };
};
