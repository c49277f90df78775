import type { LimitCeilings } from '@app/domain';
import { Tokens } from '@app/kernel';
import { whole } from '../../process-settings.js';

const most = (usual: number) => whole('a number', 1, 999_999_999).default(usual);

/** Ceilings of tenant limits, also for the tenants' own admins. */
export const limitSettings = {
  PALIMPSEST_TENANT_REQUESTS_PER_SECOND_MAX: most(10_000),
  PALIMPSEST_TENANT_REQUESTS_PER_MINUTE_MAX: most(300_000),
  PALIMPSEST_TENANT_TOKENS_PER_MINUTE_MAX: most(500_000_000),
  PALIMPSEST_TENANT_COMPACTIONS_MAX: most(16),
};

export const ceilingsOf = (
  config: { readonly [Name in keyof typeof limitSettings]: number },
): LimitCeilings => ({
  requestsPerSecond: config.PALIMPSEST_TENANT_REQUESTS_PER_SECOND_MAX,
  requestsPerMinute: config.PALIMPSEST_TENANT_REQUESTS_PER_MINUTE_MAX,
  tokensPerMinute: Tokens(config.PALIMPSEST_TENANT_TOKENS_PER_MINUTE_MAX),
  concurrentCompactions: config.PALIMPSEST_TENANT_COMPACTIONS_MAX,
});
