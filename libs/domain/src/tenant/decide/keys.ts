import { Actor, AppError, type IsoTime, type KeyId, LIMITS } from '@app/kernel';
import type { DecideForTenant } from '../commands.js';
import { type ApiKey, countsAt, type RegisteredTenant } from '../state.js';

export const issueApiKey: DecideForTenant<'IssueApiKey'> = ({ data: { key, by, now } }, tenant) => {
  if (tenant.keys.some(({ keyId }) => keyId === key.keyId)) return [];
  // The service issues short-lived keys itself: to an operator who signs in, and who could not revoke a key otherwise.
  if (by !== SERVICE) requireRoom(tenant, now);
  return [{ type: 'ApiKeyIssued', data: { key, issuedBy: by, issuedAt: now } }];
};

const SERVICE = Actor('system');

const requireRoom = ({ keys }: RegisteredTenant, now: IsoTime): void => {
  const { max } = LIMITS.apiKeys;
  if (keys.filter((key) => countsAt(key, now)).length < max) return;
  throw new AppError('too-many-keys', `a tenant has at most ${max} valid API keys: revoke one first`);
};

/** A key that ends before the overlap does ends then all the same: rotating lengthens nothing. */
export const rotateApiKey: DecideForTenant<'RotateApiKey'> = (
  { data: { keyId, replacement, validUntil, by, now } },
  tenant,
) => {
  const key = requireKey(keyId, tenant);
  if (key.replacedBy === replacement.keyId) return [];
  if (!countsAt(key, now) || key.replacedBy !== undefined) {
    throw new AppError('key-inactive', `key ${keyId} is revoked, expired or rotated: issue a new one`);
  }
  if (now < validUntil) requireRoom(tenant, now);
  const { role, permissions, label } = key;
  const ends = key.expiresAt !== null && key.expiresAt < validUntil ? key.expiresAt : validUntil;
  const data = {
    keyId,
    validUntil: ends,
    replacement: { ...replacement, role, permissions, label },
    rotatedBy: by,
    rotatedAt: now,
  };
  return [{ type: 'ApiKeyRotated', data }];
};

export const revokeApiKey: DecideForTenant<'RevokeApiKey'> = (
  { data: { keyId, reason, by, now } },
  tenant,
) =>
  requireKey(keyId, tenant).revoked
    ? []
    : [{ type: 'ApiKeyRevoked', data: { keyId, reason, revokedBy: by, revokedAt: now } }];

const requireKey = (keyId: KeyId, { keys }: RegisteredTenant): ApiKey => {
  const key = keys.find((one) => one.keyId === keyId);
  if (key) return key;
  throw new AppError(
    'key-not-found',
    `there is no key ${keyId}: \`palimpsest keys list\` lists those there are`,
  );
};
