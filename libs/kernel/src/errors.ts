/** Every refusal that may cross a layer, by its stable code. Each has a page in docs/errors/. */
export type ErrorCode =
  | 'session-not-found'
  | 'session-closed'
  | 'session-already-open'
  | 'session-diverged'
  | 'invalid-id'
  | 'invalid-settings'
  | 'unknown-profile'
  | 'unknown-window'
  | 'unknown-model'
  | 'models-unavailable'
  | 'unknown-projection'
  | 'projection-stopped'
  | 'projection-not-stopped'
  | 'message-conflict'
  | 'invalid-message'
  | 'pin-not-found'
  | 'message-not-found'
  | 'confirmation-required'
  | 'compaction-not-revertible'
  | 'context-overflow'
  | 'turn-in-progress'
  | 'request-refused'
  | 'request-not-found'
  | 'revision-not-found'
  | 'revision-mismatch'
  | 'idempotency-key-reused'
  | 'request-in-progress'
  | 'compaction-not-found'
  | 'nothing-to-import'
  | 'unknown-format'
  | 'unreadable-file'
  | 'data-folder-in-use'
  | 'data-folder-newer'
  | 'data-folder-unusable'
  | 'port-in-use'
  | 'host-unusable'
  | 'insecure-host'
  | 'invalid-certificate'
  | 'user-not-found'
  | 'user-exists'
  | 'copy-diverged'
  | 'copy-incomplete'
  | 'disk-full'
  | 'event-store-unavailable'
  | 'postgres-unavailable'
  | 'postgres-newer'
  | 'migration-changed'
  | 'compaction-timed-out'
  | 'concurrency-conflict'
  | 'append-too-large'
  | 'corrupt-event'
  | 'invalid-configuration'
  | 'unknown-command'
  | 'invalid-request'
  | 'unauthenticated'
  | 'forbidden'
  | 'content-forbidden'
  | 'key-file-unwritable'
  | 'route-not-found'
  | 'too-many-readers'
  | 'position-ahead'
  | 'tenant-not-found'
  | 'tenant-exists'
  | 'key-not-found'
  | 'key-inactive'
  | 'webhook-not-found'
  | 'too-many-webhooks'
  | 'address-forbidden'
  | 'delivery-not-found'
  | 'delivery-not-dead'
  | 'delivery-not-pending'
  | 'secret-not-found'
  | 'too-many-secrets'
  | 'secret-unreadable'
  | 'secrets-key-missing'
  | 'rate-limited'
  | 'upstream-unreachable'
  | 'upstream-key-missing'
  | 'service-unreachable'
  | 'unexpected-answer'
  | 'internal';

/**
 * The one error shape that crosses a layer. `message` says to whoever made the call what is wrong and what to
 * do; it holds ids, names and numbers, never message content and never a secret.
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
