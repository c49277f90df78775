/**
 * The only importer of the protocol's definitions. They come from the client's package, version 6.2.1, its last one.
 * Its generated classes decode requests, except the most frequent one (`batch-request.ts`); `proto-writer.ts` encodes
 * the answers.
 */
import gossipServices from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import persistentServices from '@eventstore/db-client/generated/persistent_grpc_pb.js';
import type * as persistent from '@eventstore/db-client/generated/persistent_pb.js';
import projectionServices from '@eventstore/db-client/generated/projections_grpc_pb.js';
import type * as projections from '@eventstore/db-client/generated/projections_pb.js';
import featureServices from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type * as shared from '@eventstore/db-client/generated/shared_pb.js';
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type * as streams from '@eventstore/db-client/generated/streams_pb.js';
import userServices from '@eventstore/db-client/generated/users_grpc_pb.js';
import type * as users from '@eventstore/db-client/generated/users_pb.js';
import type { MethodDefinition } from '@grpc/grpc-js';
import { readBatchRequest } from './batch-request.js';

export type { persistent, projections, shared, streams, users };

/** Answers are encoded already. */
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
  delete: encodedByUs(StreamsService.delete),
  tombstone: encodedByUs(StreamsService.tombstone),
};

const { PersistentSubscriptionsService } = persistentServices;
export const persistentService = {
  create: encodedByUs(PersistentSubscriptionsService.create),
  update: encodedByUs(PersistentSubscriptionsService.update),
  delete: encodedByUs(PersistentSubscriptionsService.delete),
  getInfo: encodedByUs(PersistentSubscriptionsService.getInfo),
  list: encodedByUs(PersistentSubscriptionsService.list),
  replayParked: encodedByUs(PersistentSubscriptionsService.replayParked),
  restartSubsystem: encodedByUs(PersistentSubscriptionsService.restartSubsystem),
  read: encodedByUs(PersistentSubscriptionsService.read),
};
const { ProjectionsService } = projectionServices;
export const projectionsService = {
  create: encodedByUs(ProjectionsService.create),
  update: encodedByUs(ProjectionsService.update),
  delete: encodedByUs(ProjectionsService.delete),
  statistics: encodedByUs(ProjectionsService.statistics),
  disable: encodedByUs(ProjectionsService.disable),
  enable: encodedByUs(ProjectionsService.enable),
  reset: encodedByUs(ProjectionsService.reset),
  state: encodedByUs(ProjectionsService.state),
  result: encodedByUs(ProjectionsService.result),
  restartSubsystem: encodedByUs(ProjectionsService.restartSubsystem),
};

const { ServerFeaturesService } = featureServices;
export const featuresService = {
  getSupportedMethods: encodedByUs(ServerFeaturesService.getSupportedMethods),
};

const { GossipService } = gossipServices;
export const gossipService = { read: encodedByUs(GossipService.read) };

const { UsersService } = userServices;
export const usersService = {
  create: encodedByUs(UsersService.create),
  update: encodedByUs(UsersService.update),
  delete: encodedByUs(UsersService.delete),
  enable: encodedByUs(UsersService.enable),
  disable: encodedByUs(UsersService.disable),
  details: encodedByUs(UsersService.details),
  changePassword: encodedByUs(UsersService.changePassword),
  resetPassword: encodedByUs(UsersService.resetPassword),
};
