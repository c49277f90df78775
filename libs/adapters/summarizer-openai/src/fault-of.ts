import type { Usage } from '@app/domain';
import { SummarizerError, summarizerErrorOf } from '@app/ports';
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';

/** What the client threw, in our terms. The client's own error is left behind: it holds bodies and headers. */
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
  // What is no error of the API is an answer that could not be read: no JSON, no stream, broken off in the middle.
  return new SummarizerError('unavailable', { about: 'unreadable_answer', ...paid });
};
