import type { Metadata } from '@grpc/grpc-js';
import type { ConsumerIdentity } from '../../delivery/consumer.js';

const NOBODY = 'anonymous';

/** Who a call is from. The user is who it says it is: whether that is so is for those to check who let it in. */
export const identityOf = (peer: string, metadata: Metadata): ConsumerIdentity => ({
  peer,
  user: userOf(String(metadata.get('authorization')[0] ?? '')),
  connectionName: String(metadata.get('connection-name')[0] ?? '<unknown>'),
});

const userOf = (authorization: string): string => {
  const [, encoded] = /^basic (.+)$/i.exec(authorization) ?? [];
  if (encoded === undefined) return NOBODY;
  const [user] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return user || NOBODY;
};
