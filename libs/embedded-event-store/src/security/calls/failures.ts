import { status } from '@grpc/grpc-js';
import { GrpcFailure } from '../../wire/grpc-failure.js';

export const accessDenied = (): GrpcFailure =>
  new GrpcFailure(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });

/** The client makes the same error of it as of the one above. */
export const notAuthenticated = (): GrpcFailure =>
  new GrpcFailure(status.UNAUTHENTICATED, 'the user or the password is wrong, or the user is disabled');
