import type { Store } from '../../store.js';
import type { persistent } from '../../wire/definitions.js';
import { invalidArgument } from '../../wire/grpc-failure.js';
import { clampedNumber } from '../../wire/values.js';
import { groupFailed } from '../failures.js';
import { sourceOf } from './requests/source-of.js';

/** Responds when the replay has begun. @throws {GrpcFailure} */
export const replayParked = ({ groups }: Store, request: persistent.ReplayParkedReq): void => {
  const options = request.getOptions();
  if (!options) throw invalidArgument('the options are missing');
  const source = sourceOf(options);
  const name = options.getGroupName();
  const stopAt = options.hasStopAt() ? options.getStopAt() : undefined;
  if (stopAt?.startsWith('-')) throw groupFailed(source, name, '`stopAt` must not be negative');
  groups.get(source, name).replayParked(stopAt === undefined ? undefined : clampedNumber(stopAt));
};
