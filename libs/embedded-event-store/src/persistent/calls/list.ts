import { ProtoWriter } from '@app/kernel';
import type { Store } from '../../store.js';
import type { Source } from '../../streams/reads/read-plan.js';
import type { persistent } from '../../wire/definitions.js';
import { invalidArgument } from '../../wire/grpc-failure.js';
import { groupMissing } from '../failures.js';
import { groupInfo } from '../statistics/group-info.js';
import { namedSource } from './requests/source-of.js';

/** Returns `message ListResp` with all groups, or those of one source. @throws {GrpcFailure} */
export const listGroups = ({ log, groups }: Store, request: persistent.ListReq): Buffer => {
  const source = wantedSource(request);
  const found = groups.list(source);
  if (source && found.length === 0) throw groupMissing(source, '');
  const reply = new ProtoWriter(512 * (found.length + 1));
  for (const group of found) reply.bytes(1, groupInfo(log.reader, group));
  return reply.finish();
};

const wantedSource = (request: persistent.ListReq): Source | undefined => {
  const options = request.getOptions();
  if (options?.hasListAllSubscriptions()) return undefined;
  const wanted = options?.getListForStream();
  if (!wanted)
    throw invalidArgument('the list options must name a stream, or ask for all persistent subscriptions');
  return wanted.hasAll() ? { kind: 'all' } : namedSource(wanted.getStream());
};
