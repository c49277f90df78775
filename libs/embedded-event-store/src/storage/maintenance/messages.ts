import { type AppError, isJsonObject } from '@app/kernel';

/** A maintenance task on a folder whose files may crash the process that reads them. */
export type MaintenanceTask = { readonly kind: 'check' | 'salvage'; readonly dataDir: string };
/** A message from the child; `result` is JSON. */
export type ChildMessage =
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'progress'; readonly entries: number; readonly fraction: number }
  | { readonly kind: 'done'; readonly result: string }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

export const isChildMessage = (value: unknown): value is ChildMessage =>
  isJsonObject(value) &&
  ((value.kind === 'ready' && typeof value.url === 'string') ||
    (value.kind === 'progress' && typeof value.entries === 'number' && typeof value.fraction === 'number') ||
    (value.kind === 'done' && typeof value.result === 'string') ||
    (value.kind === 'failed' && typeof value.code === 'string' && typeof value.message === 'string'));

export const failedReport = (fault: AppError): ChildMessage => ({
  kind: 'failed',
  code: fault.code,
  message: fault.message,
});
