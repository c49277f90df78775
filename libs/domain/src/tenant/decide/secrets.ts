import { AppError } from '@app/kernel';
import type { RemoveSecretCommand, StoreSecretCommand } from '../commands.js';
import type { TenantEvent } from '../events.js';
import type { RegisteredTenant } from '../state.js';

const SECRETS_MAX = 100;

/** Each time: whether the value is another one than before is not known here. */
export const storeSecret = (
  { data: { name, now } }: StoreSecretCommand,
  { secrets }: RegisteredTenant,
): readonly TenantEvent[] => {
  if (!secrets.includes(name) && secrets.length >= SECRETS_MAX)
    throw new AppError('too-many-secrets', `a tenant has at most ${SECRETS_MAX} secrets: remove one`);
  return [{ type: 'SecretStored', data: { name, storedAt: now } }];
};

export const removeSecret = (
  { data: { name } }: RemoveSecretCommand,
  { secrets }: RegisteredTenant,
): readonly TenantEvent[] => {
  if (!secrets.includes(name)) throw new AppError('secret-not-found', `there is no secret "${name}"`);
  return [{ type: 'SecretRemoved', data: { name } }];
};
