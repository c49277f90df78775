import type { Event } from '@app/kernel';
import type { ModelOverride } from '../../models/record.js';

/** What the tenant says of a model counts from now on, in the place of what it said of it before. */
export type ModelConfigured = Event<'ModelConfigured', { model: ModelOverride }>;

/** The tenant says nothing of that model any more. */
export type ModelRemoved = Event<'ModelRemoved', { model: string }>;
