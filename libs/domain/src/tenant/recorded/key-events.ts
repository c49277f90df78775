import type { Actor, Event, IsoTime, KeyId } from '@app/kernel';
import type { KeyPermission } from '../permission.js';
import type { KeyRole } from '../role.js';

/** The stored form of a key, from which the key cannot be derived. */
export type ApiKeyFacts = {
  readonly keyId: KeyId;
  readonly role: KeyRole;
  /** All permissions: those of the role at the time of issue, and granted ones. */
  readonly permissions: readonly KeyPermission[];
  /** SHA-256 of the whole key, in lower-case hex. */
  readonly hash: string;
  /** The first characters of the key, by which its owner knows it again: `pal_` and its id. */
  readonly prefix: string;
  /** Purpose of the key, as given by the caller. */
  readonly label: string;
  /** It counts for nothing from then on; `null` for a key that does not expire. */
  readonly expiresAt: IsoTime | null;
};

export type ApiKeyIssued = Event<'ApiKeyIssued', { key: ApiKeyFacts; issuedBy: Actor; issuedAt: IsoTime }>;

/** `keyId` was replaced by `replacement`; both are valid until `validUntil`. */
export type ApiKeyRotated = Event<
  'ApiKeyRotated',
  { keyId: KeyId; validUntil: IsoTime; replacement: ApiKeyFacts; rotatedBy: Actor; rotatedAt: IsoTime }
>;

/** From now on the key counts for nothing. */
export type ApiKeyRevoked = Event<
  'ApiKeyRevoked',
  { keyId: KeyId; reason: string; revokedBy: Actor; revokedAt: IsoTime }
>;
