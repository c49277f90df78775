/** Every stable error code. Each has a page in docs/errors/. */
export const ERROR_CODES = [
  'session-not-found',
  'log-not-found',
  'log-behind',
  'session-closed',
  'session-already-open',
  'session-diverged',
  'invalid-id',
  'invalid-settings',
  'unknown-profile',
  'unknown-window',
  'unknown-model',
  'models-unavailable',
  'unknown-projection',
  'projection-behind',
  'projection-stopped',
  'projection-not-stopped',
  'message-conflict',
  'invalid-message',
  'pin-not-found',
  'hold-not-found',
  'too-many-holds',
  'retention-locked',
  'message-not-found',
  'confirmation-required',
  'compaction-not-revertible',
  'context-overflow',
  'turn-in-progress',
  'compaction-disabled',
  'prompt-not-found',
  'request-refused',
  'request-not-found',
  'revision-not-found',
  'revision-mismatch',
  'idempotency-key-reused',
  'request-in-progress',
  'compaction-not-found',
  'nothing-to-import',
  'unknown-format',
  'unreadable-file',
  'unwritable-file',
  'data-folder-in-use',
  'data-folder-newer',
  'data-folder-damaged',
  'data-folder-unusable',
  'port-in-use',
  'host-unusable',
  'insecure-host',
  'invalid-certificate',
  'user-not-found',
  'user-exists',
  'backup-damaged',
  'restore-target-in-use',
  'restore-unfinished',
  'installation-mismatch',
  'installation-key-wrong',
  'key-store-unreachable',
  'copy-diverged',
  'copy-incomplete',
  'disk-full',
  'event-store-unavailable',
  'postgres-unavailable',
  'postgres-newer',
  'migration-changed',
  'compaction-timed-out',
  'concurrency-conflict',
  'append-too-large',
  'corrupt-event',
  'content-key-missing',
  'erasure-in-progress',
  'erasure-not-found',
  'erasure-not-pending',
  'approval-by-requester',
  'invalid-configuration',
  'unknown-command',
  'invalid-request',
  'unauthenticated',
  'forbidden',
  'content-forbidden',
  'key-file-unwritable',
  'agent-not-found',
  'route-not-found',
  'method-not-allowed',
  'too-many-readers',
  'position-ahead',
  'tenant-not-found',
  'tenant-exists',
  'key-not-found',
  'key-inactive',
  'webhook-not-found',
  'too-many-webhooks',
  'address-forbidden',
  'delivery-not-found',
  'delivery-not-dead',
  'delivery-not-pending',
  'secret-not-found',
  'too-many-secrets',
  'too-many-keys',
  'secret-unreadable',
  'secrets-key-missing',
  'rate-limited',
  'overloaded',
  'request-timeout',
  'upstream-unreachable',
  'upstream-key-missing',
  'service-unreachable',
  'unexpected-answer',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * The only error type that crosses layers. `message` tells the caller the fault and the remedy; it contains ids,
 * names and numbers, never message content or secrets.
 */
export class AppError extends Error {
  override readonly name: string = 'AppError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}

/** Whether an event cannot be read now, while others can: it is passed over instead of stopping everything. */
export const isUnreadable = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'corrupt-event' || error.code === 'content-key-missing');

/**
 * Returns the code of an error of Node or of a library, such as `ENOENT`; `undefined` without one. By its shape, since an error of
 * another realm is not an instance of this `Error`.
 */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** Returns the error for a file that cannot be read: an {@link AppError} unchanged, else `unreadable-file`. */
export const unreadableFile = (file: string, cause: unknown): AppError =>
  cause instanceof AppError
    ? cause
    : new AppError(
        'unreadable-file',
        `${file} cannot be read (${codeOf(cause) ?? 'unknown reason'}): is the name right, and may you read it?`,
        { cause },
      );
