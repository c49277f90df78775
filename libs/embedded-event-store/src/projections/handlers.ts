import type { handleServerStreamingCall, handleUnaryCall } from '@grpc/grpc-js';
import type { ProjectionMode } from '../log/projections/projections.js';
import { ProtoWriter } from '../proto/proto-writer.js';
import type { Store } from '../store.js';
import type { projections, shared } from '../wire/definitions.js';
import { asFailure, invalidArgument } from '../wire/grpc-failure.js';
import { projectionNamed, userProjectionsUnbuilt } from './failures.js';
import { statistics } from './statistics.js';

type ProjectionHandlers = {
  create: handleUnaryCall<projections.CreateReq, Buffer>;
  update: handleUnaryCall<projections.UpdateReq, Buffer>;
  delete: handleUnaryCall<projections.DeleteReq, Buffer>;
  statistics: handleServerStreamingCall<projections.StatisticsReq, Buffer>;
  disable: handleUnaryCall<projections.DisableReq, Buffer>;
  enable: handleUnaryCall<projections.EnableReq, Buffer>;
  reset: handleUnaryCall<projections.ResetReq, Buffer>;
  state: handleUnaryCall<projections.StateReq, Buffer>;
  result: handleUnaryCall<projections.ResultReq, Buffer>;
  restartSubsystem: handleUnaryCall<shared.Empty, Buffer>;
};

/** The service Projections, as far as it concerns system projections. */
export const projectionHandlers = (store: Store): ProjectionHandlers => ({
  create: unary(async () => {
    throw userProjectionsUnbuilt('Create');
  }),
  update: unary(async (request) => {
    projectionNamed(nameOf(request));
    throw userProjectionsUnbuilt('Update');
  }),
  delete: unary(async (request) => {
    projectionNamed(nameOf(request));
    throw userProjectionsUnbuilt('Delete');
  }),
  // Links once written are right for ever: there is nothing to be done over.
  reset: unary(async (request) => {
    projectionNamed(nameOf(request));
    throw userProjectionsUnbuilt('Reset');
  }),
  statistics: (call) => {
    try {
      for (const reply of statistics(store, call.request)) call.write(reply);
      call.end();
    } catch (fault) {
      call.emit('error', asFailure(fault));
    }
  },
  disable: unary(async (request) => {
    // To abort is to stop without a checkpoint.
    const mode = request.getOptions()?.getWriteCheckpoint() ? 'stopped' : 'aborted';
    return switchOver(store, nameOf(request), mode);
  }),
  enable: unary(async (request) => switchOver(store, nameOf(request), 'running')),
  state: unary(async (request) => emptyState(nameOf(request))),
  result: unary(async (request) => emptyState(nameOf(request))),
  restartSubsystem: unary(async () => EMPTY),
});

const switchOver = async ({ log }: Store, name: string, mode: ProjectionMode): Promise<Buffer> => {
  await log.switchProjection(projectionNamed(name), mode);
  return EMPTY;
};

/** System projections have no state but their links: a `google.protobuf.Value` that is an object without members. */
const emptyState = (name: string): Buffer => {
  projectionNamed(name);
  return new ProtoWriter().bytes(1, new ProtoWriter().empty(5).finish()).finish();
};

const EMPTY = Buffer.alloc(0);

const nameOf = (request: { getOptions(): { getName(): string } | undefined }): string => {
  const options = request.getOptions();
  if (!options) throw invalidArgument('the options are missing');
  return options.getName();
};

const unary =
  <Request>(handle: (request: Request) => Promise<Buffer>): handleUnaryCall<Request, Buffer> =>
  (call, answer) => {
    handle(call.request).then(
      (reply) => answer(null, reply),
      (fault) => answer(asFailure(fault)),
    );
  };
