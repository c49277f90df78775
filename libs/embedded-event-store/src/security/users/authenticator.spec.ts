import { describe, expect, it } from '@jest/globals';
import { Authenticator } from './authenticator.js';
import { hashPassword } from './password.js';
import type { User } from './user.js';

const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;
const caller = { kind: 'user', name: 'ada', groups: ['readers'] };

describe('Authenticator', () => {
  it('verifies a password once, until the users change', async () => {
    const ada: User = {
      ...{ login: 'ada', fullName: '', groups: ['readers'], disabled: false, updatedAt: 0 },
      password: await hashPassword('right'),
    };
    const users = { version: 0, find: (login: string) => (login === 'ada' ? ada : undefined) };
    const authenticator = new Authenticator(users);
    const first = authenticator.callerOf(basic('ada:right'));
    expect(first).toBeInstanceOf(Promise);
    expect(await first).toEqual(caller);
    expect(authenticator.callerOf(basic('ada:right'))).toEqual(caller);
    expect(authenticator.callerOf(basic('ada:wrong'))).toBeInstanceOf(Promise);
    expect(await authenticator.callerOf(basic('ada:wrong'))).toBeUndefined();
    users.version = 1;
    const again = authenticator.callerOf(basic('ada:right'));
    expect(again).toBeInstanceOf(Promise);
    expect(await again).toEqual(caller);
  });
});
