import { status } from '@grpc/grpc-js';
import type { Source } from '../streams/reading/read-plan.js';
import { GrpcFailure } from '../wire/grpc-failure.js';
import { sourceName } from './group-definition.js';

const failure =
  (code: status, exception: string, saying: string) =>
  (source: Source, group: string): GrpcFailure =>
    new GrpcFailure(code, `Subscription group ${group} on stream ${sourceName(source)} ${saying}`, {
      exception,
      'stream-name': sourceName(source),
      'group-name': group,
    });

export const groupMissing = failure(
  status.NOT_FOUND,
  'persistent-subscription-does-not-exist',
  'does not exist.',
);
export const groupExists = failure(status.ALREADY_EXISTS, 'persistent-subscription-exists', 'exists.');
export const groupDropped = failure(status.CANCELLED, 'persistent-subscription-dropped', 'was dropped.');
export const groupFull = failure(
  status.FAILED_PRECONDITION,
  'maximum-subscribers-reached',
  'has all the subscribers that it may have.',
);
