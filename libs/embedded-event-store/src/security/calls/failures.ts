import { status } from '@grpc/grpc-js';
import { GrpcFailure } from '../../wire/grpc-failure.js';

export const accessDenied = (): GrpcFailure =>
  new GrpcFailure(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });

/** The client maps it to the same error class as `accessDenied`. */
export const notAuthenticated = (): GrpcFailure =>
  new GrpcFailure(status.UNAUTHENTICATED, 'the user or the password is wrong, or the user is disabled');
