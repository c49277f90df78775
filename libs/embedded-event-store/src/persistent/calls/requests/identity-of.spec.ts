import { Metadata } from '@grpc/grpc-js';
import { identityOf } from './identity-of.js';

const callWith = (headers: Readonly<Record<string, string>>): Metadata => {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(headers)) metadata.set(key, value);
  return metadata;
};
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('who a consumer is', () => {
  it('is the user of its credentials, and the name of its connection', () => {
    const metadata = callWith({ authorization: basic('admin:change:it'), 'connection-name': 'worker 1' });
    expect(identityOf('10.0.0.1:5', metadata)).toEqual({
      peer: '10.0.0.1:5',
      user: 'admin',
      connectionName: 'worker 1',
    });
  });

  it.each([{}, { authorization: 'Bearer token' }, { authorization: basic(':secret') }])(
    'is anonymous without a user: %j',
    (headers) => {
      expect(identityOf('', callWith(headers))).toMatchObject({
        user: 'anonymous',
        connectionName: '<unknown>',
      });
    },
  );
});
