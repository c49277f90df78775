import { ProtoWriter } from '@app/kernel';
import type { Store } from '../../store.js';
import { filterSpecOf, matcherOf } from '../../streams/reads/event-filter.js';
import type { Source } from '../../streams/reads/read-plan.js';
import type { HandlersOf, persistent, persistentService } from '../../wire/definitions.js';
import { invalidArgument } from '../../wire/grpc-failure.js';
import { unary } from '../../wire/unary.js';
import { clampedNumber } from '../../wire/values.js';
import { groupFailed, groupMissing } from '../failures.js';
import { groupInfo } from '../statistics/group-info.js';
import { readGroup } from './read.js';
import { definitionOf } from './requests/definition-of.js';
import { namedSource, sourceOf } from './requests/source-of.js';

export const persistentHandlers = (store: Store): HandlersOf<typeof persistentService> => ({
  create: unary((request) => createGroup(store, request)),
  update: unary((request) => updateGroup(store, request)),
  delete: unary((request) => deleteGroup(store, request)),
  getInfo: unary((request) => getInfo(store, request)),
  list: unary((request) => listGroups(store, request)),
  replayParked: unary((request) => replayParked(store, request)),
  restartSubsystem: unary(() => store.groups.restart()),
  read: (call) => readGroup(store, call),
});

/** Updates all settings but the filter. @throws {GrpcFailure} */
const updateGroup = async ({ log, groups }: Store, request: persistent.UpdateReq): Promise<void> =>
  groups.update(definitionOf(log, request.getOptions()));

/** @throws {GrpcFailure} */
const deleteGroup = async (store: Store, request: persistent.DeleteReq): Promise<void> => {
  const options = request.getOptions();
  if (!options) throw invalidArgument('the options are missing');
  await store.groups.delete(sourceOf(options), options.getGroupName());
};

/** @throws {GrpcFailure} */
const createGroup = async ({ log, groups }: Store, request: persistent.CreateReq): Promise<void> => {
  const options = request.getOptions();
  const filterOptions = options?.getAll()?.getFilter();
  const filter = filterOptions && filterSpecOf(filterOptions);
  if (filter) matcherOf(filter); // Rejects an invalid regular expression.
  await groups.create(definitionOf(log, options, filter));
};

/** Returns `message GetInfoResp`. @throws {GrpcFailure} */
const getInfo = ({ log, groups }: Store, request: persistent.GetInfoReq): Buffer => {
  const options = request.getOptions();
  if (!options) throw invalidArgument('the options are missing');
  const group = groups.get(sourceOf(options), options.getGroupName());
  return new ProtoWriter(512).bytes(1, groupInfo(log.reader, group)).finish();
};

/** Responds when the replay has begun. @throws {GrpcFailure} */
const replayParked = ({ groups }: Store, request: persistent.ReplayParkedReq): void => {
  const options = request.getOptions();
  if (!options) throw invalidArgument('the options are missing');
  const source = sourceOf(options);
  const name = options.getGroupName();
  const stopAt = options.hasStopAt() ? options.getStopAt() : undefined;
  if (stopAt?.startsWith('-')) throw groupFailed(source, name, '`stopAt` must not be negative');
  groups.get(source, name).replayParked(stopAt === undefined ? undefined : clampedNumber(stopAt));
};

/** Returns `message ListResp` with all groups, or those of one source. @throws {GrpcFailure} */
const listGroups = ({ log, groups }: Store, request: persistent.ListReq): Buffer => {
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
