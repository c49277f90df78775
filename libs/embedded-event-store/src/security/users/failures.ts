import { status } from '@grpc/grpc-js';
import { GrpcFailure } from '../../wire/grpc-failure.js';

export const userMissing = (login: string): GrpcFailure =>
  new GrpcFailure(status.NOT_FOUND, `user ${login} does not exist`, {
    exception: 'user-not-found',
    'login-name': login,
  });

export const userExists = (login: string): GrpcFailure =>
  new GrpcFailure(status.FAILED_PRECONDITION, `user ${login} exists already`, {
    exception: 'user-conflict',
    'login-name': login,
  });
