import type { Metadata } from '@grpc/grpc-js';
import type { Caller } from '../../../security/acl/caller.js';
import type { ConsumerIdentity } from '../../delivery/consumer.js';

/** The fields of a call that identify its client. */
type Call = { getPeer(): string; readonly metadata: Metadata };

/** Returns the identity of a consumer. The user is the authenticated one; the call's metadata cannot change it. */
export const identityOf = (call: Call, caller: Caller): ConsumerIdentity => ({
  peer: call.getPeer(),
  user: caller.kind === 'user' ? caller.name : 'anonymous',
  connectionName: String(call.metadata.get('connection-name')[0] ?? '<unknown>'),
});
