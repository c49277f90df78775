import { isJsonObject } from '@app/kernel';
import type { WorkOrder } from '../storage/work/messages.js';
import type { EventStoreOptions } from './options.js';

/** A message from the parent to the child. */
export type Order =
  | { readonly kind: 'start'; readonly options: EventStoreOptions }
  | WorkOrder
  | { readonly kind: 'stop' };
export const isOrder = (value: unknown): value is Order =>
  isJsonObject(value) &&
  (value.kind === 'stop' ||
    (value.kind === 'start' && isJsonObject(value.options)) ||
    ((value.kind === 'check' || value.kind === 'salvage') && typeof value.dataDir === 'string'));
