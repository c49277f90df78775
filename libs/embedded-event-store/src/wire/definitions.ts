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
import type {
  handleBidiStreamingCall,
  handleClientStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  MethodDefinition,
} from '@grpc/grpc-js';
import { readBatchRequest } from './batch-request.js';

export type { persistent, projections, shared, streams };

/** The methods of a generated service, without the index signature that it has besides. */
type Methods<Service> = keyof { [Name in keyof Service as string extends Name ? never : Name]: unknown };
type RequestOf<Method> = Method extends MethodDefinition<infer Request, infer _> ? Request : never;
/** A service whose answers are encoded already. */
type EncodedByUs<Service> = {
  [Name in Methods<Service>]: MethodDefinition<RequestOf<Service[Name]>, Buffer> &
    Pick<Service[Name], Extract<'requestStream' | 'responseStream', keyof Service[Name]>>;
};

type HandlerOf<Method> = Method extends { requestStream: false; responseStream: false }
  ? handleUnaryCall<RequestOf<Method>, Buffer>
  : Method extends { requestStream: false }
    ? handleServerStreamingCall<RequestOf<Method>, Buffer>
    : Method extends { responseStream: false }
      ? handleClientStreamingCall<RequestOf<Method>, Buffer>
      : handleBidiStreamingCall<RequestOf<Method>, Buffer>;
/** The handlers of all methods of a service. */
export type HandlersOf<Service> = { [Name in keyof Service]: HandlerOf<Service[Name]> };

const asIs = (bytes: Buffer): Buffer => bytes;
const encodedByUs = <Service extends object>(service: Service): EncodedByUs<Service> =>
  Object.fromEntries(
    Object.entries(service).map(([name, method]) => [
      name,
      { ...method, responseSerialize: asIs, responseDeserialize: asIs },
    ]),
  ) as EncodedByUs<Service>; // The type names these methods.

const streamMethods = encodedByUs(streamServices.StreamsService);
export const streamsService = {
  ...streamMethods,
  batchAppend: { ...streamMethods.batchAppend, requestDeserialize: readBatchRequest },
};
export const persistentService = encodedByUs(persistentServices.PersistentSubscriptionsService);
export const projectionsService = encodedByUs(projectionServices.ProjectionsService);
export const featuresService = encodedByUs(featureServices.ServerFeaturesService);
export const gossipService = encodedByUs(gossipServices.GossipService);
export const usersService = encodedByUs(userServices.UsersService);
