import { randomUUID } from 'node:crypto';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { credentials, type ServiceError } from '@grpc/grpc-js';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';

export type RawStreams = InstanceType<typeof streamsGrpc.StreamsClient>;

/** The generated client, for requests that the public client never makes. */
export const rawStreams = (url: string): RawStreams => {
  const { host } = new URL(url.replace('esdb:', 'http:'));
  return new streamsGrpc.StreamsClient(host, credentials.createInsecure());
};

/** The first message of a classic append to any stream. */
export const appendOptions = (stream: string): InstanceType<typeof streamsPb.AppendReq> => {
  const options = new streamsPb.AppendReq.Options();
  options.setStreamIdentifier(
    new sharedPb.StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64')),
  );
  options.setAny(new sharedPb.Empty());
  return new streamsPb.AppendReq().setOptions(options);
};

/** Returns the error of a call; discards its answers. */
export const failureOf = (call: {
  on(event: 'error', listener: (fault: ServiceError) => void): unknown;
  on(event: 'data', listener: () => void): unknown;
}): Promise<ServiceError> =>
  new Promise((resolve) => {
    call.on('data', () => undefined);
    call.on('error', resolve);
  });

/** The first fragment of an append that is never finished. */
export const unfinishedAppend = (
  stream: string,
  bytes: number,
): InstanceType<typeof streamsPb.BatchAppendReq> => {
  const identifier = new sharedPb.StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64'));
  const options = new streamsPb.BatchAppendReq.Options();
  options.setStreamIdentifier(identifier);
  options.setAny(new emptyPb.Empty());
  const message = new streamsPb.BatchAppendReq.ProposedMessage();
  message.setId(new sharedPb.UUID().setString(randomUUID()));
  message.getMetadataMap().set('type', 'Large').set('content-type', 'application/octet-stream');
  message.setData(new Uint8Array(bytes));
  const request = new streamsPb.BatchAppendReq();
  request.setCorrelationId(new sharedPb.UUID().setString(randomUUID()));
  request.setOptions(options);
  request.setProposedMessagesList([message]);
  return request;
};
