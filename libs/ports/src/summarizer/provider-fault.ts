import { isOverflow, type Usage } from '@app/domain';
import { ownMember } from '@app/kernel';
import { SummarizerError, type SummarizerFault } from './summarizer-error.js';

/** The details of a failed request from a provider's client. */
export type ProviderFailure = {
  /** For classification only: it may contain content of the request. */
  readonly message: string;
  /** HTTP status; absent without a response, or if the fault occurred within one. */
  readonly status?: number;
  /** The provider's name for the error. */
  readonly type?: string;
  readonly header?: (name: string) => string | null | undefined;
  /** Usage billed before the failure. */
  readonly usage?: Usage;
};

const FAULT_OF_STATUS: Readonly<Record<number, SummarizerFault>> = {
  408: 'timeout',
  409: 'unavailable',
  425: 'unavailable',
  429: 'rate-limit',
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
};
/** Errors that a stream reports after status 200. */
const FAULT_OF_TYPE: Readonly<Record<string, SummarizerFault>> = {
  overloaded_error: 'overloaded',
  server_is_overloaded: 'overloaded',
  service_unavailable_error: 'overloaded',
  rate_limit_error: 'rate-limit',
  rate_limit_exceeded: 'rate-limit',
  timeout_error: 'timeout',
  api_error: 'unavailable',
  server_error: 'unavailable',
  authentication_error: 'refused',
  permission_error: 'refused',
  billing_error: 'refused',
  invalid_request_error: 'refused',
};
/** They have the status of a rate limit, and no time cures them. */
const SPENT = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'billing_error']);

/** Returns the error for a provider's failure: status, names and times, without content. */
export const summarizerErrorOf = (failure: ProviderFailure): SummarizerError => {
  const { status, type, usage, header } = failure;
  const retryAfterMs = header && retryAfter(header);
  return new SummarizerError(faultOf(failure), {
    ...(status !== undefined && { status }),
    ...(type !== undefined && NAME.test(type) && { about: type }),
    ...(usage && { usage }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
};

const faultOf = ({ message, status, type }: ProviderFailure): SummarizerFault => {
  if (type !== undefined && SPENT.has(type)) return 'refused';
  const known = {
    message,
    ...(status !== undefined && { status }),
    ...(type !== undefined && { code: type }),
  };
  if (isOverflow(known)) return 'overflow';
  const named = status === undefined ? ownMember(FAULT_OF_TYPE, type ?? '') : FAULT_OF_STATUS[status];
  if (named) return named;
  return status !== undefined && status >= 400 && status < 500 ? 'refused' : 'unavailable';
};

/** The error classes of a provider's client. */
export type ClientErrors = {
  readonly APIConnectionTimeoutError: ErrorClass<Error>;
  readonly APIConnectionError: ErrorClass<Error>;
  readonly APIError: ErrorClass<
    Error & {
      readonly status: number | undefined;
      readonly code?: string | null | undefined;
      readonly type: string | null | undefined;
      readonly headers: Headers | undefined;
    }
  >;
};
type ErrorClass<Instance> = abstract new (...given: never[]) => Instance;

/** Converts an error of a provider's client, which contains bodies and headers and is dropped. */
export const clientFault = (
  error: unknown,
  usage: Usage | undefined,
  { APIConnectionTimeoutError, APIConnectionError, APIError }: ClientErrors,
): SummarizerError => {
  const paid = usage && { usage };
  if (error instanceof SummarizerError) return error;
  if (error instanceof APIConnectionTimeoutError) return new SummarizerError('timeout', { ...paid });
  if (error instanceof APIConnectionError) {
    return new SummarizerError('unavailable', { about: 'connection', ...paid });
  }
  if (error instanceof APIError) {
    const { status, code, type, headers } = error;
    const name = code ?? type;
    return summarizerErrorOf({
      message: error.message,
      ...(typeof status === 'number' && { status }),
      ...(typeof name === 'string' && { type: name }),
      ...(headers && { header: (header: string) => headers.get(header) }),
      ...paid,
    });
  }
  // Any other error is an unreadable answer: invalid JSON, no stream, or a truncated one.
  return new SummarizerError('unavailable', { about: 'unreadable_answer', ...paid });
};

/** The pattern of error names, which rejects arbitrary text from a broken server. */
const NAME = /^[a-z][a-z0-9_.-]{0,63}$/i;

/** In milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date. */
const retryAfter = (header: (name: string) => string | null | undefined): number | undefined => {
  const exact = Number(header('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const text = header('retry-after')?.trim();
  if (!text) return undefined;
  const seconds = Number(text);
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
};
