import type { handleBidiStreamingCall, handleUnaryCall } from '@grpc/grpc-js';
import type { Store } from '../../store.js';
import type { persistent, shared } from '../../wire/definitions.js';
import { unary } from '../../wire/unary.js';
import { createGroup } from './create.js';
import { deleteGroup } from './delete.js';
import { getInfo } from './get-info.js';
import { listGroups } from './list.js';
import { readGroup } from './read.js';
import { replayParked } from './replay-parked.js';
import { updateGroup } from './update.js';

type PersistentHandlers = {
  create: handleUnaryCall<persistent.CreateReq, Buffer>;
  update: handleUnaryCall<persistent.UpdateReq, Buffer>;
  delete: handleUnaryCall<persistent.DeleteReq, Buffer>;
  getInfo: handleUnaryCall<persistent.GetInfoReq, Buffer>;
  list: handleUnaryCall<persistent.ListReq, Buffer>;
  replayParked: handleUnaryCall<persistent.ReplayParkedReq, Buffer>;
  restartSubsystem: handleUnaryCall<shared.Empty, Buffer>;
  read: handleBidiStreamingCall<persistent.ReadReq, Buffer>;
};

export const persistentHandlers = (store: Store): PersistentHandlers => ({
  create: unary((request) => createGroup(store, request)),
  update: unary((request) => updateGroup(store, request)),
  delete: unary((request) => deleteGroup(store, request)),
  getInfo: unary((request) => getInfo(store, request)),
  list: unary((request) => listGroups(store, request)),
  replayParked: unary((request) => replayParked(store, request)),
  restartSubsystem: unary(() => store.groups.restart()),
  read: (call) => readGroup(store, call),
});
