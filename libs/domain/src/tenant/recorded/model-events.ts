import type { Event } from '@app/kernel';
import type { ModelOverride } from '../../models/record.js';

/** Replaces the tenant's overrides of a model. */
export type ModelConfigured = Event<'ModelConfigured', { model: ModelOverride }>;

/** Removes the tenant's overrides of a model. */
export type ModelRemoved = Event<'ModelRemoved', { model: string }>;
