import type { ErrorCode } from '@app/kernel';

/** What the parent tells its supervisor. */
export type ToSupervisor =
  | { readonly kind: 'start'; readonly dataDir: string; readonly port: number }
  | { readonly kind: 'stop' };

/** How PostgreSQL ended: one of the two is null. */
export type PostgresExit = { readonly code: number | null; readonly signal: string | null };

/** What the supervisor tells its parent: `ready` or `failed` once, and after `ready`, `exited` once. */
export type FromSupervisor =
  | { readonly kind: 'ready'; readonly pid: number; readonly port: number; readonly password: string }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
  | ({ readonly kind: 'exited' } & PostgresExit);

// Both ends are the same build of the same program: a kind that is known is a whole message.
export const isToSupervisor = (message: unknown): message is ToSupervisor => isOf(message, ['start', 'stop']);
export const isFromSupervisor = (message: unknown): message is FromSupervisor =>
  isOf(message, ['ready', 'failed', 'exited']);

const isOf = (message: unknown, kinds: readonly string[]): boolean =>
  typeof message === 'object' &&
  message !== null &&
  'kind' in message &&
  typeof message.kind === 'string' &&
  kinds.includes(message.kind);
