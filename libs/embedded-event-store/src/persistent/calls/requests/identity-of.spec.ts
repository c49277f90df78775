import { Metadata } from '@grpc/grpc-js';
import { ANONYMOUS } from '../../../security/acl/caller.js';
import { identityOf } from './identity-of.js';

const callWith = (headers: Readonly<Record<string, string>>) => {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(headers)) metadata.set(key, value);
  return { metadata, getPeer: () => '10.0.0.1:5' };
};

describe('identity of a consumer', () => {
  it('contains the authenticated user and the connection name', () => {
    const call = callWith({ 'connection-name': 'worker 1' });
    expect(identityOf(call, { kind: 'user', name: 'ann', groups: [] })).toEqual({
      peer: '10.0.0.1:5',
      user: 'ann',
      connectionName: 'worker 1',
    });
  });

  it('is anonymous without an authenticated user, for any metadata of the call', () => {
    const authorization = `Basic ${Buffer.from('admin:changeit').toString('base64')}`;
    expect(identityOf(callWith({ authorization }), ANONYMOUS)).toMatchObject({
      user: 'anonymous',
      connectionName: '<unknown>',
    });
  });
});
