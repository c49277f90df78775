import { isJsonObject } from '@app/kernel';
import type { MaintenanceTask } from '../storage/maintenance/messages.js';
import type { EventStoreOptions } from './options.js';

/** A message from the parent to the child. */
export type ParentMessage =
  | { readonly kind: 'start'; readonly options: EventStoreOptions }
  | MaintenanceTask
  | { readonly kind: 'stop' };
export const isParentMessage = (value: unknown): value is ParentMessage =>
  isJsonObject(value) &&
  (value.kind === 'stop' ||
    (value.kind === 'start' && isJsonObject(value.options)) ||
    ((value.kind === 'check' || value.kind === 'salvage') && typeof value.dataDir === 'string'));
