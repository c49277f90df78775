import { status } from '@grpc/grpc-js';
import type { Source } from '../streams/reads/read-plan.js';
import { GrpcFailure } from '../wire/grpc-failure.js';
import { sourceName } from './definition/group-definition.js';

const failure =
  (code: status, exception: string, saying: string) =>
  (source: Source, group: string): GrpcFailure =>
    new GrpcFailure(code, `Subscription group ${group} on stream ${sourceName(source)} ${saying}`, {
      exception,
      'stream-name': sourceName(source),
      'group-name': group,
    });

/** `group` is empty if the source has no group at all. */
export const groupMissing = failure(
  status.NOT_FOUND,
  'persistent-subscription-does-not-exist',
  'does not exist.',
);
export const groupExists = failure(status.ALREADY_EXISTS, 'persistent-subscription-exists', 'exists.');
export const groupDropped = failure(status.CANCELLED, 'persistent-subscription-dropped', 'was dropped.');
/** EventStoreDB's text: clients classify errors by it. */
export const groupFull = (source: Source, group: string): GrpcFailure =>
  new GrpcFailure(
    status.FAILED_PRECONDITION,
    `Maximum subscriptions reached for subscription group ${group} on stream ${sourceName(source)}`,
    {
      exception: 'maximum-subscribers-reached',
      'stream-name': sourceName(source),
      'group-name': group,
    },
  );

/** A request for the group is invalid, for `reason`. */
export const groupFailed = (source: Source, group: string, reason: string): GrpcFailure =>
  new GrpcFailure(
    status.INTERNAL,
    `Subscription group ${group} on stream ${sourceName(source)} failed: '${reason}'`,
    {
      exception: 'persistent-subscription-failed',
      'stream-name': sourceName(source),
      'group-name': group,
      reason,
    },
  );
