import { AppError } from '@app/kernel';
import { status } from '@grpc/grpc-js';

/** What a failed call says, without what a server may have put into its text. */
export const asAppError = (fault: unknown, server: string): AppError => {
  if (fault instanceof AppError) return fault;
  const code = typeof fault === 'object' && fault !== null && 'code' in fault ? fault.code : undefined;
  const unavailable = (what: string): AppError =>
    new AppError('event-store-unavailable', `the ${server} ${what}`, { cause: fault });
  switch (code) {
    case status.UNAUTHENTICATED:
      return unavailable('refuses the user and password of its address');
    case status.PERMISSION_DENIED:
      return unavailable('does not let this user do that: copying takes an administrator');
    case status.RESOURCE_EXHAUSTED:
      return unavailable('has no room left, or takes no messages of that size');
    default:
      return unavailable('does not answer, or went away: run the command again, it goes on where it ended');
  }
};
