/**
 * The only importer of the protocol's definitions. They come from the client's package, version 6.2.1, the last
 * one; requests are decoded with its generated classes, except the one that counts (`batch-request.ts`); answers are encoded by ourselves (`proto-writer.ts`).
 */
import persistentServices from '@eventstore/db-client/generated/persistent_grpc_pb.js';
import type * as persistent from '@eventstore/db-client/generated/persistent_pb.js';
import projectionServices from '@eventstore/db-client/generated/projections_grpc_pb.js';
import featureServices from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type * as shared from '@eventstore/db-client/generated/shared_pb.js';
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type * as streams from '@eventstore/db-client/generated/streams_pb.js';
import type { MethodDefinition } from '@grpc/grpc-js';
import { readBatchRequest } from './batch-request.js';

export type { persistent, shared, streams };

/** Our answers are encoded already. */
type Definition<Request> = MethodDefinition<Request, Buffer>;
type Foreign<Request> = {
  path: string;
  requestStream: boolean;
  responseStream: boolean;
  requestSerialize: (request: Request) => Buffer;
  requestDeserialize: (bytes: Buffer) => Request;
};

const asIs = (bytes: Buffer): Buffer => bytes;
const encodedByUs = <Request>(method: Foreign<Request>): Definition<Request> => ({
  path: method.path,
  requestStream: method.requestStream,
  responseStream: method.responseStream,
  requestSerialize: method.requestSerialize,
  requestDeserialize: method.requestDeserialize,
  responseSerialize: asIs,
  responseDeserialize: asIs,
});

const { StreamsService } = streamServices;
export const streamsService = {
  read: encodedByUs(StreamsService.read),
  append: encodedByUs(StreamsService.append),
  batchAppend: { ...encodedByUs(StreamsService.batchAppend), requestDeserialize: readBatchRequest },
};

const { PersistentSubscriptionsService } = persistentServices;
export const persistentService = {
  create: encodedByUs(PersistentSubscriptionsService.create),
  delete: encodedByUs(PersistentSubscriptionsService.delete),
  getInfo: encodedByUs(PersistentSubscriptionsService.getInfo),
  read: encodedByUs(PersistentSubscriptionsService.read),
};
/** Known to the protocol, and not built. */
export const unbuiltServices = [
  { delete: StreamsService.delete, tombstone: StreamsService.tombstone },
  {
    update: PersistentSubscriptionsService.update,
    replayParked: PersistentSubscriptionsService.replayParked,
    list: PersistentSubscriptionsService.list,
    restartSubsystem: PersistentSubscriptionsService.restartSubsystem,
  },
  projectionServices.ProjectionsService,
];

const { ServerFeaturesService } = featureServices;
export const featuresService = {
  getSupportedMethods: encodedByUs(ServerFeaturesService.getSupportedMethods),
};
