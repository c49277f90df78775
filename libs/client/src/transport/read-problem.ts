import type { ErrorCode, Fault } from '../generated/types.js';
import { PalimpsestError, type Problem } from './errors.js';

/** Returns the error of an answer, from problem details (RFC 9457) if it has them. */
export const problemIn = async (response: Response, now = Date.now()): Promise<PalimpsestError> => {
  const { status, headers } = response;
  const retryAfterMs = retryAfterIn(headers.get('retry-after'), now);
  const about = { status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  const problem = membersOf(await textOf(response));
  if (typeof problem.code !== 'string') return unexpected(about);
  const detail = typeof problem.detail === 'string' ? problem.detail : problem.code;
  // Unknown codes of later versions are passed unchanged.
  return new PalimpsestError(problem.code as ErrorCode, detail, {
    ...about,
    problem,
    faults: faultsIn(problem.faults),
  });
};

/** Returns the error of an answer that is not in the form of the API. */
export const unexpected = (about: { readonly status: number; readonly cause?: unknown }): PalimpsestError =>
  new PalimpsestError(
    'unexpected-answer',
    `the answer (status ${about.status}) is none of Palimpsest's: is the URL that of its API?`,
    about,
  );

/** Parses seconds or a date. */
const retryAfterIn = (header: string | null, now: number): number | undefined => {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
};

const isProblem = (value: unknown): value is Problem => typeof value === 'object' && value !== null;

const membersOf = (text: string): Problem => {
  try {
    const value: unknown = JSON.parse(text);
    return isProblem(value) ? value : {};
  } catch {
    return {};
  }
};

const faultsIn = (value: unknown): readonly Fault[] =>
  (Array.isArray(value) ? value : []).flatMap((fault: unknown) =>
    isProblem(fault) ? [{ at: String(fault.at), problem: String(fault.problem) }] : [],
  );

/** Returns an empty text for a truncated error response. */
const textOf = (response: Response): Promise<string> => response.text().catch(() => '');
