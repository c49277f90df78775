import { PalimpsestError } from '@app/client';
import { AppError, type ErrorCode } from '@app/kernel';

/** A defect on the side of the service: it ends the command as one of ours would. */
class ServiceDefect extends Error {
  override readonly name = 'ServiceDefect';
}

/** What a failed call means to a command: the refusal that it would have met on this machine. */
const localError = (error: unknown): unknown => {
  if (!(error instanceof PalimpsestError)) return error;
  const { code, detail, status } = error;
  if (code === 'internal' && status === 500) return new ServiceDefect(detail, { cause: error });
  return new AppError(isCodeForm(code) ? code : 'unexpected-answer', detail, { cause: error });
};

/** A later version of the service may send codes that this version does not list: they are shown as they are. */
const isCodeForm = (code: string): code is ErrorCode => /^[a-z]+(-[a-z]+)*$/.test(code);

/** The result of a call, or the refusal in the form that commands know. */
export const answered = async <Result>(call: Promise<Result>): Promise<Result> => {
  try {
    return await call;
  } catch (error) {
    throw localError(error);
  }
};

/** The same for what comes piece by piece. */
export async function* answeredItems<Item>(
  items: AsyncIterable<Item>,
): AsyncGenerator<Item, void, undefined> {
  try {
    yield* items;
  } catch (error) {
    throw localError(error);
  }
}
