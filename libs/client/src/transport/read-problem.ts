import type { ErrorCode } from '../types/error-code.js';
import { type Fault, PalimpsestError, type Problem } from './errors.js';

/** The failure that an answer tells of, in problem details (RFC 9457) where it comes from this API. */
export const problemIn = async (response: Response, now = Date.now()): Promise<PalimpsestError> => {
  const { status, headers } = response;
  const retryAfterMs = retryAfterIn(headers.get('retry-after'), now);
  const about = { status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  const problem = membersOf(await textOf(response));
  if (typeof problem.code !== 'string') return unexpected(status, about);
  const detail = typeof problem.detail === 'string' ? problem.detail : problem.code;
  // A code of a later version is passed on as it is.
  return new PalimpsestError(problem.code as ErrorCode, detail, {
    ...about,
    problem,
    faults: faultsIn(problem.faults),
  });
};

const unexpected = (status: number, about: { readonly status: number }): PalimpsestError =>
  new PalimpsestError(
    'unexpected-answer',
    `the answer (status ${status}) is none of Palimpsest's: is the URL that of its API?`,
    about,
  );

/** Seconds, or a date: both are allowed. */
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

/** An error that breaks off while it is told is an error all the same. */
const textOf = (response: Response): Promise<string> => response.text().catch(() => '');
