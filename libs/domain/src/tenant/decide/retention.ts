import { AppError, canonicalJson } from '@app/kernel';
import type { SetRetentionDefaultsCommand } from '../commands.js';
import type { TenantEvent } from '../events.js';
import type { RegisteredTenant } from '../state.js';

const PROFILES_MAX = 100;

/** @throws {AppError} `invalid-settings` for too many profiles. */
export const setRetentionDefaults = (
  { data: { retention, by, now } }: SetRetentionDefaultsCommand,
  tenant: RegisteredTenant,
): readonly TenantEvent[] => {
  if (Object.keys(retention.profiles).length > PROFILES_MAX)
    throw new AppError('invalid-settings', `at most ${PROFILES_MAX} profiles have a retention of their own`);
  if (canonicalJson(retention) === canonicalJson(tenant.retention)) return [];
  return [{ type: 'RetentionDefaultsSet', data: { ...retention, setBy: by, setAt: now } }];
};
