import { AppError, canonicalJson } from '@app/kernel';
import type { DescribeModelCommand, ForgetModelCommand } from '../commands.js';
import type { TenantEvent } from '../events.js';
import type { RegisteredTenant } from '../state.js';

/** All are searched whenever a session is opened. */
const MODELS_MAX = 200;

export const describeModel = (
  { data: { model } }: DescribeModelCommand,
  { models }: RegisteredTenant,
): readonly TenantEvent[] => {
  const known = models.find(({ id }) => id === model.id);
  if (known && canonicalJson(known) === canonicalJson(model)) return [];
  if (!known && models.length >= MODELS_MAX)
    throw new AppError('invalid-settings', `a tenant describes at most ${MODELS_MAX} models: forget one`);
  return [{ type: 'ModelConfigured', data: { model } }];
};

export const forgetModel = (
  { data: { model } }: ForgetModelCommand,
  { models }: RegisteredTenant,
): readonly TenantEvent[] => {
  if (models.some(({ id }) => id === model)) return [{ type: 'ModelRemoved', data: { model } }];
  throw new AppError('unknown-model', `the tenant says nothing of a model "${model.slice(0, 64)}"`);
};
