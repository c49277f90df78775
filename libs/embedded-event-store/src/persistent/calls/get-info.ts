import { ProtoWriter } from '@app/kernel';
import type { Store } from '../../store.js';
import type { persistent } from '../../wire/definitions.js';
import { invalidArgument } from '../../wire/grpc-failure.js';
import { groupInfo } from '../statistics/group-info.js';
import { sourceOf } from './requests/source-of.js';

/** Returns `message GetInfoResp`. @throws {GrpcFailure} */
export const getInfo = ({ log, groups }: Store, request: persistent.GetInfoReq): Buffer => {
  const options = request.getOptions();
  if (!options) throw invalidArgument('the options are missing');
  const group = groups.get(sourceOf(options), options.getGroupName());
  return new ProtoWriter(512).bytes(1, groupInfo(log.reader, group)).finish();
};
