import { isOverflow } from '@app/domain';
import { SummarizerError } from '@app/ports';

/** Converts an error of a summarizer; `undefined` for an unknown class. */
export const faultOf = (error: unknown): SummarizerError | undefined => {
  if (error instanceof SummarizerError) return error;
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'TimeoutError') return new SummarizerError('timeout', { cause: error });
  const status = 'status' in error && typeof error.status === 'number' ? { status: error.status } : {};
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return isOverflow({ message: error.message, ...status, ...code })
    ? new SummarizerError('overflow', { ...status, cause: error })
    : undefined;
};
