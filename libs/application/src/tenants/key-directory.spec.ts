import { Actor, AppError, IsoTime, KeyId, LogPosition, Revision, TenantId, tenantStream } from '@app/kernel';
import type { LogItem } from '@app/ports';
import { KeyDirectory } from './key-directory.js';

const now = IsoTime('2026-01-01T00:00:00Z');
const stop = new AbortController();
afterAll(() => stop.abort());

const keyId = (letter: string): KeyId => KeyId(letter.repeat(12));
const recordOf = (letter: string, tenant: string) => ({
  ...{ keyId: keyId(letter), tenant: TenantId(tenant), role: 'agent' as const, permissions: [] },
  ...{ hash: letter.repeat(64), expiresAt: null, revoked: false },
});
const places = (tenant: string, at: number) => ({
  ...{ stream: tenantStream(TenantId(tenant)), revision: Revision(at), position: LogPosition(BigInt(at)) },
});
const revoked = (tenant: string, letter: string, at: number): LogItem<never> => ({
  kind: 'event',
  recorded: {
    ...{ ...places(tenant, at), id: `${at}`, recordedAt: now },
    context: { actor: Actor('system'), correlationId: 'c' },
    event: { type: 'ApiKeyRevoked', data: { keyId: keyId(letter), reason: '' } } as never,
  },
});
const unreadable = (tenant: string, at: number): LogItem<never> => ({
  kind: 'unreadable',
  unreadable: {
    ...places(tenant, at),
    type: 'ApiKeyRevoked',
    error: new AppError('corrupt-event', 'it is none of ours'),
  },
});

const opened = async (...items: readonly LogItem<never>[]) => {
  const errors: unknown[] = [];
  const subscriptions = {
    async *catchUpTenants(_: unknown, signal: AbortSignal) {
      yield* items;
      yield { kind: 'caught-up' } as const;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  };
  const directory = new KeyDirectory({
    subscriptions,
    clock: { now: () => now },
    onError: (error) => errors.push(error),
  });
  const keys = [recordOf('a', 'acme'), recordOf('b', 'acme'), recordOf('c', 'globex')];
  await directory.start({ keys, position: 'start' }, stop.signal);
  return { directory, errors };
};

describe('the key directory', () => {
  it('rejects a revoked key', async () => {
    const { directory } = await opened(revoked('acme', 'a', 1));
    expect(directory.find(keyId('a'))).toBeUndefined();
    expect(directory.find(keyId('b'))).toMatchObject({ tenant: 'acme' });
  });

  it('rejects keys of a tenant with an unreadable event and accepts those of others', async () => {
    const { directory, errors } = await opened(unreadable('acme', 1), revoked('globex', 'd', 2));
    for (const letter of ['a', 'b'])
      expect(() => directory.find(keyId(letter))).toThrow(expect.objectContaining({ code: 'corrupt-event' }));
    expect(directory.find(keyId('c'))).toMatchObject({ tenant: 'globex' });
    expect(errors).toMatchObject([{ code: 'corrupt-event' }]);
  });
});
