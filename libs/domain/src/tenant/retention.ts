import { type NonEmpty, ownMember } from '@app/kernel';
import type { RetentionDefault } from '../session/protection.js';

/** Retention of a tenant's new sessions. Open sessions keep theirs. */
export type TenantRetention = {
  /** For profiles that are not among `profiles`; `null` keeps sessions without a period. */
  readonly default: RetentionDefault | null;
  /** By the name of the session's profile; `null` exempts a profile from the default. */
  readonly profiles: Readonly<Record<NonEmpty, RetentionDefault | null>>;
};
export const NO_RETENTION: TenantRetention = { default: null, profiles: {} };

/** Returns how long a new session with a profile of this name is kept. */
export const retentionFor = (
  { default: byDefault, profiles }: TenantRetention,
  profile: string,
): RetentionDefault | undefined =>
  (Object.hasOwn(profiles, profile) ? ownMember(profiles, profile) : byDefault) ?? undefined;
