import { AppError } from '@app/kernel';
import { status } from '@grpc/grpc-js';

/** Maps a failed call to an error, without the server's text, which may contain content. */
export const asAppError = (fault: unknown, server: string): AppError => {
  if (fault instanceof AppError) return fault;
  const code = typeof fault === 'object' && fault !== null && 'code' in fault ? fault.code : undefined;
  const unavailable = (what: string): AppError =>
    new AppError('event-store-unavailable', `the ${server} ${what}`, { cause: fault });
  switch (code) {
    case status.UNAUTHENTICATED:
      return unavailable('rejects the user and password in its address');
    case status.PERMISSION_DENIED:
      return unavailable('denies access: copying requires an administrator');
    case status.RESOURCE_EXHAUSTED:
      return unavailable('is out of space, or rejects messages of that size');
    default:
      return unavailable('is unavailable: run the command again, it resumes the copy');
  }
};
