import type { Usage } from '@app/domain';
import { SummarizerError, summarizerErrorOf } from '@app/ports';
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';

/** Converts an error of the client, which contains bodies and headers and is dropped. */
export const faultOf = (error: unknown, usage: Usage | undefined): SummarizerError => {
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
