import { ProtoWriter } from '@app/kernel';
import { status } from '@grpc/grpc-js';
import {
  isProjection,
  PROJECTIONS,
  type ProjectionMode,
  type ProjectionName,
} from '../log/projections/projections.js';
import type { Store } from '../store.js';
import type { HandlersOf, projections, projectionsService } from '../wire/definitions.js';
import { asFailure, GrpcFailure, invalidArgument } from '../wire/grpc-failure.js';
import { unary } from '../wire/unary.js';

/** The service Projections, limited to system projections. */
export const projectionHandlers = (store: Store): HandlersOf<typeof projectionsService> => ({
  create: unary(() => {
    throw customProjectionsUnsupported('Create');
  }),
  update: unary((request) => {
    projectionNamed(nameOf(request));
    throw customProjectionsUnsupported('Update');
  }),
  delete: unary((request) => {
    projectionNamed(nameOf(request));
    throw customProjectionsUnsupported('Delete');
  }),
  // Links never become wrong, so a reset has nothing to do.
  reset: unary((request) => {
    projectionNamed(nameOf(request));
    throw customProjectionsUnsupported('Reset');
  }),
  statistics: (call) => {
    try {
      for (const reply of statistics(store, call.request)) call.write(reply);
      call.end();
    } catch (fault) {
      call.emit('error', asFailure(fault));
    }
  },
  disable: unary((request) => {
    // Aborting is stopping without a checkpoint.
    const mode = request.getOptions()?.getWriteCheckpoint() ? 'stopped' : 'aborted';
    return switchOver(store, nameOf(request), mode);
  }),
  enable: unary((request) => switchOver(store, nameOf(request), 'running')),
  state: unary((request) => emptyState(nameOf(request))),
  result: unary((request) => emptyState(nameOf(request))),
  restartSubsystem: unary(() => undefined),
});

const switchOver = ({ log }: Store, name: string, mode: ProjectionMode): Promise<void> =>
  log.switchProjection(projectionNamed(name), mode);

/** Returns an empty object as `google.protobuf.Value`: system projections have no state but their links. */
const emptyState = (name: string): Buffer => {
  projectionNamed(name);
  return new ProtoWriter().bytes(1, new ProtoWriter().empty(5).finish()).finish();
};

const nameOf = (request: { getOptions(): { getName(): string } | undefined }): string => {
  const options = request.getOptions();
  if (!options) throw invalidArgument('the options are missing');
  return options.getName();
};

/** Returns a `message StatisticsResp` per requested projection. @throws {GrpcFailure} */
const statistics = (store: Store, request: projections.StatisticsReq): Buffer[] =>
  wanted(request).map((name) => new ProtoWriter(192).bytes(1, detailsOf(store, name)).finish());

const wanted = (request: projections.StatisticsReq): readonly ProjectionName[] => {
  const options = request.getOptions();
  if (!options) throw invalidArgument('the options are missing');
  if (options.hasName()) return [projectionNamed(options.getName())];
  // All system projections are continuous.
  return options.hasAll() || options.hasContinuous() ? PROJECTIONS : [];
};

const detailsOf = ({ log }: Store, name: ProjectionName): Buffer => {
  const { mode, live, position } = log.projections.stateOf(name);
  const state = mode === 'running' && !log.projections.isRunning ? 'stopped' : mode;
  const at = live ? log.end : position;
  const place = `C:${at}/P:${at}`;
  return new ProtoWriter(160)
    .string(4, name)
    .string(8, STATUS[state])
    .string(10, name)
    .string(11, 'Continuous')
    .string(12, place)
    .float(13, log.end === 0 ? 100 : (100 * at) / log.end)
    .string(14, place)
    .finish();
};

const STATUS: Readonly<Record<ProjectionMode, string>> = {
  running: 'Running',
  stopped: 'Stopped',
  aborted: 'Aborted',
};

/** @throws {GrpcFailure} NOT_FOUND if there is no system projection of that name. */
const projectionNamed = (name: string): ProjectionName => {
  if (isProjection(name)) return name;
  throw new GrpcFailure(status.NOT_FOUND, `projection ${name} does not exist`);
};

const customProjectionsUnsupported = (doing: string): GrpcFailure =>
  new GrpcFailure(
    status.UNIMPLEMENTED,
    `${doing} is not supported by the embedded event store, which has system projections only: ` +
      'use EventStoreDB for custom projections',
  );
