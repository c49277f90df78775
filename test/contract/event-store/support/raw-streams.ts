import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { credentials, type ServiceError } from '@grpc/grpc-js';

export type RawStreams = InstanceType<typeof streamsGrpc.StreamsClient>;

/** The generated client, for requests that the client itself never makes. */
export const rawStreams = (url: string): RawStreams => {
  const { host } = new URL(url.replace('esdb:', 'http:'));
  return new streamsGrpc.StreamsClient(host, credentials.createInsecure());
};

/** The beginning of a classic append, whatever the stream is. */
export const appendOptions = (stream: string): InstanceType<typeof streamsPb.AppendReq> => {
  const options = new streamsPb.AppendReq.Options();
  options.setStreamIdentifier(
    new sharedPb.StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64')),
  );
  options.setAny(new sharedPb.Empty());
  return new streamsPb.AppendReq().setOptions(options);
};

/** How a call fails; its answers, if there are any, go nowhere. */
export const failureOf = (call: {
  on(event: 'error', listener: (fault: ServiceError) => void): unknown;
  on(event: 'data', listener: () => void): unknown;
}): Promise<ServiceError> =>
  new Promise((resolve) => {
    call.on('data', () => undefined);
    call.on('error', resolve);
  });
