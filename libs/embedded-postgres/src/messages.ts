import type { ErrorCode } from '@app/kernel';

/** A message from the parent to its supervisor. */
export type ToSupervisor =
  | { readonly kind: 'start'; readonly dataDir: string; readonly port: number }
  | { readonly kind: 'stop' };

/** The exit of PostgreSQL: one of the two is null. */
export type PostgresExit = { readonly code: number | null; readonly signal: string | null };

/** A message from the supervisor to its parent: `ready` or `failed` once, and after `ready`, `exited` once. */
export type FromSupervisor =
  | { readonly kind: 'ready'; readonly pid: number; readonly port: number; readonly password: string }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
  | ({ readonly kind: 'exited' } & PostgresExit);

// Checks only `kind`: both ends are the same build of the same program.
export const isToSupervisor = (message: unknown): message is ToSupervisor => isOf(message, ['start', 'stop']);
export const isFromSupervisor = (message: unknown): message is FromSupervisor =>
  isOf(message, ['ready', 'failed', 'exited']);

const isOf = (message: unknown, kinds: readonly string[]): boolean =>
  typeof message === 'object' &&
  message !== null &&
  'kind' in message &&
  typeof message.kind === 'string' &&
  kinds.includes(message.kind);
