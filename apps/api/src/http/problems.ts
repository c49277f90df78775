import { errorCode, refused, remedy } from '@app/contract';
import { AppError, type ErrorCode, truncate } from '@app/kernel';
import { NotReady, RETRY_AFTER_SECONDS } from '@app/platform';
import { z } from 'zod';

/** HTTP status of each error code that the API answers with; the command line alone has the others. */
const STATUSES: Partial<Record<ErrorCode, number>> = {
  'session-not-found': 404,
  'log-not-found': 404,
  'log-behind': 503,
  'projection-behind': 503,
  'session-closed': 409,
  'session-already-open': 409,
  'session-diverged': 409,
  'invalid-id': 400,
  'invalid-settings': 400,
  'invalid-request': 400,
  'unknown-profile': 400,
  'unknown-window': 400,
  'unknown-model': 404,
  'models-unavailable': 503,
  'unknown-projection': 404,
  'projection-stopped': 503,
  'projection-not-stopped': 409,
  'message-conflict': 409,
  'invalid-message': 400,
  'pin-not-found': 404,
  'hold-not-found': 404,
  'too-many-holds': 409,
  'retention-locked': 409,
  'message-not-found': 404,
  'request-not-found': 404,
  'confirmation-required': 409,
  'compaction-not-revertible': 409,
  'context-overflow': 422,
  'turn-in-progress': 409,
  'compaction-disabled': 409,
  'prompt-not-found': 404,
  'request-refused': 409,
  'revision-not-found': 404,
  'revision-mismatch': 412,
  'idempotency-key-reused': 422,
  'request-in-progress': 409,
  'compaction-not-found': 404,
  'nothing-to-import': 400,
  'unknown-format': 415,
  'unreadable-file': 400,
  'event-store-unavailable': 503,
  'postgres-unavailable': 503,
  'compaction-timed-out': 504,
  'concurrency-conflict': 409,
  'append-too-large': 413,
  'disk-full': 507,
  unauthenticated: 401,
  forbidden: 403,
  'content-forbidden': 403,
  'route-not-found': 404,
  'method-not-allowed': 405,
  'too-many-readers': 429,
  'position-ahead': 409,
  'tenant-not-found': 404,
  'tenant-exists': 409,
  'key-not-found': 404,
  'key-inactive': 409,
  'webhook-not-found': 404,
  'too-many-webhooks': 409,
  'address-forbidden': 422,
  'delivery-not-found': 404,
  'delivery-not-dead': 409,
  'delivery-not-pending': 409,
  'erasure-not-found': 404,
  'erasure-not-pending': 409,
  'approval-by-requester': 403,
  'erasure-in-progress': 503,
  'secret-not-found': 404,
  'too-many-secrets': 409,
  'too-many-keys': 409,
  // Not 503: a retry is useless until the operator configures a key.
  'secrets-key-missing': 501,
  'rate-limited': 429,
  overloaded: 503,
  'request-timeout': 408,
  'upstream-unreachable': 502,
  'upstream-key-missing': 401,
  'corrupt-event': 500,
  'content-key-missing': 500,
  'secret-unreadable': 500,
  internal: 500,
};

/** Returns the HTTP status of a code; `undefined` for codes of the command line and of the start alone. */
export const httpStatusOf = (code: ErrorCode): number | undefined => STATUSES[code];

/** Returns the HTTP status of a code; other codes than those of the API would be defects of it. */
export const statusOf = (code: ErrorCode): number => httpStatusOf(code) ?? 500;

/** Statuses of refusals for the time being (RFC 6585, section 4; RFC 9110, section 15.6.4). */
const TEMPORARY: ReadonlySet<number> = new Set([429, 503]);
/** Other codes after which the same request may be repeated, or with another time. Keys are destroyed within seconds. */
const RETRY_AFTER_SECONDS_OF: Partial<Record<ErrorCode, number>> = {
  'request-in-progress': RETRY_AFTER_SECONDS,
  'erasure-in-progress': 5,
};

/**
 * Returns the seconds of `Retry-After` for a code, unless the answer has others; `undefined` where a repetition would be refused
 * again.
 */
export const retryAfterSecondsOf = (code: ErrorCode): number | undefined =>
  RETRY_AFTER_SECONDS_OF[code] ?? (TEMPORARY.has(statusOf(code)) ? RETRY_AFTER_SECONDS : undefined);

const fault = z
  .object({
    at: z.string().describe('Path of the invalid member; empty for the whole request'),
    problem: z.string().describe('The error'),
  })
  .meta({ id: 'Fault' });
export type Fault = Readonly<z.infer<typeof fault>>;

/** Problem details (RFC 9457). */
export const problem = z
  .object({
    type: z.string().describe('Path of the page about the code'),
    title: z.string().describe('The code in words'),
    status: z.int().describe('HTTP status'),
    code: errorCode,
    detail: z.string().describe('Cause and remedy, as text for people'),
  })
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457) with a stable code.' });
export type Problem = Readonly<z.infer<typeof problem>>;

/** Additional members of the problems of some codes. */
export const PROBLEM_MEMBERS: Partial<Record<ErrorCode, z.ZodObject>> = {
  'invalid-request': z.object({ faults: z.array(fault).exactOptional().describe('At most 20') }),
  'request-refused': refused,
  'context-overflow': z.looseObject({
    tokens: z.int().describe('Billed tokens of the smallest request'),
    budget: z.int().nullable().describe('Tokens that fit; `null` for an unknown window'),
    remedies: z.array(remedy),
  }),
};

/** Returns the path of the page about a code. */
const pageOf = (code: ErrorCode): string => `/errors/${code}`;

export const problemOf = (error: AppError): Problem => ({
  ...(error instanceof DetailedRefusal && error.members),
  type: pageOf(error.code),
  title: error.code.replaceAll('-', ' '),
  status: statusOf(error.code),
  code: error.code,
  detail: error instanceof NotReady ? error.message : (PUBLIC_DETAILS[error.code] ?? error.message),
});

/** Replaces messages that name servers, disks or paths, which only the log shows. */
const PUBLIC_DETAILS: Partial<Record<ErrorCode, string>> = {
  'disk-full': 'the disk of the service is full and nothing was recorded: try again later',
  'postgres-unavailable': 'PostgreSQL does not answer: try again later, or see /health',
  'event-store-unavailable': 'the event store does not answer: try again later, or see /health',
  'upstream-unreachable':
    'the gateway cannot reach this provider, or the provider broke its answer off: repeat the request. If it fails again, ask the operator, whose log names the server',
  ...Object.fromEntries(
    (['data-folder-in-use', 'data-folder-newer', 'data-folder-damaged', 'data-folder-unusable'] as const).map(
      (code) => [code, 'the service cannot use its data folder: the operator finds the reason in the log'],
    ),
  ),
};

/** An error with machine-readable facts, which become members of its problem details. */
export class DetailedRefusal extends AppError {
  constructor(
    code: ErrorCode,
    message: string,
    readonly members: object,
  ) {
    super(code, message);
  }
}

/** Limits of the faults that an answer lists, and of the characters of each: a body of 16 MiB may have a million faults. */
const FAULTS_MAX = 20;
const FAULT_CHARACTERS_MAX = 300;

/** A request that does not match the shape of its endpoint. The answer lists the first {@link FAULTS_MAX} faults. */
export class InvalidRequest extends DetailedRefusal {
  constructor(faults: readonly Fault[]) {
    const named = faults.slice(0, FAULTS_MAX).map(({ at, problem }) => ({
      at: truncate(at, FAULT_CHARACTERS_MAX),
      problem: truncate(problem, FAULT_CHARACTERS_MAX),
    }));
    const more = faults.length > FAULTS_MAX ? `; and ${faults.length - FAULTS_MAX} more` : '';
    const message = `the request is invalid: ${named.map(wordsOf).join('; ')}${more}`;
    super('invalid-request', message, { faults: named });
  }
}

const wordsOf = ({ at, problem }: Fault): string => (at === '' ? problem : `${at}: ${problem}`);
