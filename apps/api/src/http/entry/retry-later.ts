import { AppError, type ErrorCode } from '@app/kernel';

/** An error that the client may retry. `headers` are those of the answer, with `retry-after` in seconds. */
export class RetryLater extends AppError {
  constructor(
    code: Extract<ErrorCode, 'rate-limited' | 'overloaded'>,
    message: string,
    readonly headers: Readonly<Record<string, number>>,
  ) {
    super(code, message);
  }
}
