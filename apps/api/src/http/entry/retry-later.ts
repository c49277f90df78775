import { AppError, type ErrorCode } from '@app/kernel';

/** A refusal that the same request may get around later. `headers` are those of its answer, with `retry-after`. */
export class RetryLater extends AppError {
  constructor(
    code: Extract<ErrorCode, 'rate-limited' | 'overloaded'>,
    message: string,
    readonly headers: Readonly<Record<string, number>>,
  ) {
    super(code, message);
  }
}
