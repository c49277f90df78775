import { type Actor, type IsoTime, type KeyId, type SecretName, TenantId } from '@app/kernel';
import type { ModelOverride } from '../models/record.js';
import type { ApiKeyFacts, WebhookFacts } from './events.js';
import { DEFAULT_TENANT_LIMITS, type TenantLimits } from './limits.js';

import type { TenantPrompt } from './prompts.js';
import { NO_RETENTION, type TenantRetention } from './retention.js';
import { NO_SUMMARIZERS, type TenantSummarizers } from './summarizers.js';

/** Actor and time of a change of a key. */
export type KeyChange = { readonly by: Actor; readonly at: IsoTime };

/** A key and its lifecycle. */
export type ApiKey = ApiKeyFacts & {
  readonly issuedAt: IsoTime;
  readonly issuedBy: Actor;
  readonly rotation: KeyChange | undefined;
  readonly revocation: (KeyChange & { readonly reason: string }) | undefined;
  /** ID of the key that replaces it: this one stays valid until `expiresAt`, which the rotation has set. */
  readonly replacedBy: KeyId | undefined;
  readonly revoked: boolean;
};

export type Webhook = WebhookFacts & { readonly registeredAt: IsoTime };

export type RegisteredPrompt = TenantPrompt & {
  readonly registeredBy: Actor;
  readonly registeredAt: IsoTime;
};

export type RegisteredTenant = {
  readonly status: 'registered';
  readonly tenantId: TenantId;
  readonly name: string;
  /** In the order in which they were issued. */
  readonly keys: readonly ApiKey[];
  readonly limits: TenantLimits;
  readonly summarizers: TenantSummarizers;
  readonly retention: TenantRetention;
  /** Overrides of the installation's models. */
  readonly models: readonly ModelOverride[];
  /** Every version of every prompt, in the order of their registration. */
  readonly prompts: readonly RegisteredPrompt[];
  /** In the order in which they were registered. */
  readonly webhooks: readonly Webhook[];
  /** Names alone, the one that was given last at the end. */
  readonly secrets: readonly SecretName[];
};
export type TenantState = { readonly status: 'absent' } | RegisteredTenant;

/** The operator's tenant: it always exists, and its admins register other tenants. */
export const OPERATOR_TENANT = TenantId('default');

/** A tenant of which nothing is recorded. */
export const initialTenant = (tenantId: TenantId): TenantState =>
  tenantId === OPERATOR_TENANT
    ? {
        status: 'registered',
        tenantId,
        name: 'Operator',
        keys: [],
        limits: DEFAULT_TENANT_LIMITS,
        summarizers: NO_SUMMARIZERS,
        retention: NO_RETENTION,
        models: [],
        prompts: [],
        webhooks: [],
        secrets: [],
      }
    : { status: 'absent' };

/** Whether a key opens anything at `now`. */
export const countsAt = (
  { revoked, expiresAt }: Pick<ApiKey, 'revoked' | 'expiresAt'>,
  now: IsoTime,
): boolean => !revoked && (expiresAt === null || now < expiresAt);
