import type { handleBidiStreamingCall, handleUnaryCall } from '@grpc/grpc-js';
import type { Store } from '../../store.js';
import type { persistent } from '../../wire/definitions.js';
import { asFailure } from '../../wire/grpc-failure.js';
import { createGroup } from './create.js';
import { deleteGroup } from './delete.js';
import { groupInfo } from './get-info.js';
import { readGroup } from './read.js';

type PersistentHandlers = {
  create: handleUnaryCall<persistent.CreateReq, Buffer>;
  delete: handleUnaryCall<persistent.DeleteReq, Buffer>;
  getInfo: handleUnaryCall<persistent.GetInfoReq, Buffer>;
  read: handleBidiStreamingCall<persistent.ReadReq, Buffer>;
};

export const persistentHandlers = (store: Store): PersistentHandlers => ({
  create: unary(async (request: persistent.CreateReq) => {
    await createGroup(store, request);
    return EMPTY;
  }),
  delete: unary(async (request: persistent.DeleteReq) => {
    await deleteGroup(store, request);
    return EMPTY;
  }),
  getInfo: unary(async (request: persistent.GetInfoReq) => groupInfo(store, request)),
  read: (call) => readGroup(store, call),
});

const EMPTY = Buffer.alloc(0);

const unary =
  <Request>(handle: (request: Request) => Promise<Buffer>): handleUnaryCall<Request, Buffer> =>
  (call, answer) => {
    handle(call.request).then(
      (reply) => answer(null, reply),
      (fault) => answer(asFailure(fault)),
    );
  };
