import { type AppError, isJsonObject } from '@app/kernel';
import type { EventStoreOptions } from './options.js';

/** What the parent says to the child … */
export type Order =
  | { readonly kind: 'start'; readonly options: EventStoreOptions }
  /** Work on a folder whose files may be so damaged that reading them ends the process. */
  | { readonly kind: 'check' | 'salvage'; readonly dataDir: string }
  | { readonly kind: 'stop' };
/** … and what the child answers. `result`: JSON. */
export type Report =
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'done'; readonly result: string }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

export const isOrder = (value: unknown): value is Order =>
  isJsonObject(value) &&
  (value.kind === 'stop' ||
    (value.kind === 'start' && isJsonObject(value.options)) ||
    ((value.kind === 'check' || value.kind === 'salvage') && typeof value.dataDir === 'string'));

export const isReport = (value: unknown): value is Report =>
  isJsonObject(value) &&
  ((value.kind === 'ready' && typeof value.url === 'string') ||
    (value.kind === 'done' && typeof value.result === 'string') ||
    (value.kind === 'failed' && typeof value.code === 'string' && typeof value.message === 'string'));

export const failedReport = (fault: AppError): Report => ({
  kind: 'failed',
  code: fault.code,
  message: fault.message,
});
