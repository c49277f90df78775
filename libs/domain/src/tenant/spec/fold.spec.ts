import { Actor, IsoTime, KeyId, TenantId } from '@app/kernel';
import fc from 'fast-check';
import type { ApiKeyFacts, TenantEvent } from '../events.js';
import { evolve } from '../evolve.js';
import { fold } from '../fold.js';
import { DEFAULT_TENANT_LIMITS } from '../limits.js';
import { permissionsOf } from '../role.js';
import type { TenantState } from '../state.js';

const by = Actor('cli');
const at = IsoTime('2026-01-01T00:00:00.000Z');
const key = (place: number): ApiKeyFacts => ({
  ...{
    keyId: KeyId(`K${String(place).padStart(11, '0')}`),
    hash: `${place}`,
    role: 'agent',
    label: '',
    prefix: 'pal_x',
    expiresAt: null,
    permissions: permissionsOf('agent'),
  },
});

/** Keys are issued, rotated and revoked, each after its issue, and limits change in between. */
const histories = fc
  .array(fc.tuple(fc.constantFrom('issue', 'rotate', 'revoke', 'limit'), fc.nat()))
  .map((steps) => {
    const events: TenantEvent[] = [
      { type: 'TenantRegistered', data: { tenantId: TenantId('acme'), name: 'Acme' } },
    ];
    let keys = 0;
    for (const [step, choice] of steps) {
      const { keyId } = key(keys === 0 ? 0 : choice % keys);
      if (step === 'limit') {
        const limits = { ...DEFAULT_TENANT_LIMITS, concurrentCompactions: 1 + (choice % 9) };
        events.push({ type: 'LimitsChanged', data: { limits } });
      } else if (step === 'issue' || keys === 0) {
        events.push({ type: 'ApiKeyIssued', data: { key: key(keys), issuedBy: by, issuedAt: at } });
        keys += 1;
      } else if (step === 'rotate') {
        const rotation = { validUntil: at, rotatedBy: by, rotatedAt: at };
        events.push({ type: 'ApiKeyRotated', data: { keyId, replacement: key(keys), ...rotation } });
        keys += 1;
      } else
        events.push({ type: 'ApiKeyRevoked', data: { keyId, reason: 'lost', revokedBy: by, revokedAt: at } });
    }
    return events.map((event) => ({ event }));
  });

it('equals the fold event by event', () => {
  const begun: TenantState = { status: 'absent' };
  fc.assert(
    fc.property(histories, (history) => {
      const oneByOne = history.reduce<TenantState>((state, placed) => evolve(state, placed), begun);
      expect(fold(begun, history)).toEqual(oneByOne);
    }),
  );
});
