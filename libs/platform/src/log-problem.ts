import { AppError } from '@app/kernel';

/** One line of JSON on stderr for a problem that was survived: class, code and place, never content. */
export const logProblem =
  (place: string) =>
  (error: unknown): void => {
    const name = error instanceof Error ? error.name : typeof error;
    const about = error instanceof AppError ? { code: error.code, message: error.message } : { error: name };
    process.stderr.write(`${JSON.stringify({ level: 'warn', place, ...about })}\n`);
  };
