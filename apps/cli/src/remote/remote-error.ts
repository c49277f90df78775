import { PalimpsestError } from '@app/client';
import { AppError, type ErrorCode } from '@app/kernel';

/** An internal error of the service; it ends the command like an internal error of this process. */
class ServiceDefect extends Error {
  override readonly name = 'ServiceDefect';
}

/** Converts the error of a failed call to the error that the local engine would throw. */
const localError = (error: unknown): unknown => {
  if (!(error instanceof PalimpsestError)) return error;
  const { code, detail, status } = error;
  if (code === 'internal' && status === 500) return new ServiceDefect(detail, { cause: error });
  return new AppError(isCodeForm(code) ? code : 'unexpected-answer', detail, { cause: error });
};

/** A newer service may send codes that this version does not know; they are shown unchanged. */
const isCodeForm = (code: string): code is ErrorCode => /^[a-z]+(-[a-z]+)*$/.test(code);

/** Returns the result of a call. @throws {AppError} the rejection of the service. */
export const answered = async <Result>(call: Promise<Result>): Promise<Result> => {
  try {
    return await call;
  } catch (error) {
    throw localError(error);
  }
};

/** Yields the items of a call. @throws {AppError} the rejection of the service. */
export async function* answeredItems<Item>(
  items: AsyncIterable<Item>,
): AsyncGenerator<Item, void, undefined> {
  try {
    yield* items;
  } catch (error) {
    throw localError(error);
  }
}
