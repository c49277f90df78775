import type { Metadata } from '@grpc/grpc-js';
import type { Caller } from '../../../security/acl/caller.js';
import type { ConsumerIdentity } from '../../delivery/consumer.js';

/** As much of a call as says where it comes from. */
type Call = { getPeer(): string; readonly metadata: Metadata };

/** Who a consumer is: the user is the one that was verified, whatever the call says of itself. */
export const identityOf = (call: Call, caller: Caller): ConsumerIdentity => ({
  peer: call.getPeer(),
  user: caller.kind === 'user' ? caller.name : 'anonymous',
  connectionName: String(call.metadata.get('connection-name')[0] ?? '<unknown>'),
});
