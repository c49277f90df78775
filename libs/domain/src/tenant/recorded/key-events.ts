import type { Actor, Event, IsoTime, KeyId } from '@app/kernel';
import type { KeyPermission } from '../permission.js';
import type { KeyRole } from '../role.js';

/** A key as it is kept: nobody can make the key itself of it again. */
export type ApiKeyFacts = {
  readonly keyId: KeyId;
  readonly role: KeyRole;
  /** All that it has: those of its role when it was issued, and those that were granted besides. */
  readonly permissions: readonly KeyPermission[];
  /** SHA-256 of the whole key, in lower-case hex. */
  readonly hash: string;
  /** The first characters of the key, by which its owner knows it again: `pal_` and its id. */
  readonly prefix: string;
  /** What it is for, in words of whoever asked for it. */
  readonly label: string;
  /** It counts for nothing from then on; `null` for a key that does not expire. */
  readonly expiresAt: IsoTime | null;
};

export type ApiKeyIssued = Event<'ApiKeyIssued', { key: ApiKeyFacts; issuedBy: Actor; issuedAt: IsoTime }>;

/** `keyId` gives way to `replacement`; until `validUntil` both count, so that whoever uses the old one has time. */
export type ApiKeyRotated = Event<
  'ApiKeyRotated',
  { keyId: KeyId; validUntil: IsoTime; replacement: ApiKeyFacts; rotatedBy: Actor; rotatedAt: IsoTime }
>;

/** From now on the key counts for nothing. */
export type ApiKeyRevoked = Event<
  'ApiKeyRevoked',
  { keyId: KeyId; reason: string; revokedBy: Actor; revokedAt: IsoTime }
>;
