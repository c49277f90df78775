import { PalimpsestError } from './errors.js';
import { problemIn } from './read-problem.js';

export type Opened = {
  readonly response: Response;
  /** Ends the timeout, since the answer has started. */
  begun(): void;
  close(): void;
  /** Converts an error that occurred while reading. */
  failureOf(error: unknown): unknown;
};
type CallLimits = { readonly signal?: AbortSignal; readonly timeoutMs: number };

/** Sends one request and resolves when its answer starts. @throws {PalimpsestError} for an error response. */
export const openResponse = async (
  fetch: typeof globalThis.fetch,
  url: string,
  request: RequestInit,
  { signal, timeoutMs }: CallLimits,
): Promise<Opened> => {
  signal?.throwIfAborted();
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  const cancel = (): void => ending.abort();
  signal?.addEventListener('abort', cancel, { once: true });
  const begun = (): void => clearTimeout(timer);
  const close = (): void => {
    begun();
    signal?.removeEventListener('abort', cancel);
    ending.abort();
  };
  const failureOf = (error: unknown): unknown => {
    if (signal?.aborted) return signal.reason;
    return error instanceof PalimpsestError
      ? error
      : unreachable(url, error, ending.signal.aborted && timeoutMs);
  };
  try {
    const response = await fetch(url, { ...request, signal: ending.signal });
    if (!response.ok) throw await problemIn(response);
    return { response, begun, close, failureOf };
  } catch (error) {
    const failure = failureOf(error);
    close();
    throw failure;
  }
};

const unreachable = (url: string, cause: unknown, waitedMs: number | false): PalimpsestError => {
  const { origin } = new URL(url);
  const why = waitedMs === false ? codeIn(cause) : `no answer in ${waitedMs} ms`;
  return new PalimpsestError(
    'service-unreachable',
    `the service at ${origin} cannot be reached (${why}): is it running, and is the URL right?`,
    { cause },
  );
};

/** Finds the code in the causes of a `fetch` error, which may be nested. */
const codeIn = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return 'the connection broke';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('errors' in error && Array.isArray(error.errors)) return codeIn(error.errors[0]);
  return codeIn('cause' in error ? error.cause : undefined);
};
