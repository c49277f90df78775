import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { credentials } from '@grpc/grpc-js';

export type RawProposal = {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
};

/** Appends raw bytes with any revision: the client's own appends encode values as JSON. */
export const rawAppend = (url: string, stream: string, event: RawProposal): Promise<void> => {
  const { host } = new URL(url.replace('esdb:', 'http:'));
  const client = new streamsGrpc.StreamsClient(host, credentials.createInsecure());
  return new Promise((resolve, reject) => {
    const call = client.append((fault) => {
      client.close();
      if (fault) reject(fault);
      else resolve();
    });
    const options = new streamsPb.AppendReq.Options();
    const name = Buffer.from(stream).toString('base64');
    options.setStreamIdentifier(new sharedPb.StreamIdentifier().setStreamName(name));
    options.setAny(new sharedPb.Empty());
    call.write(new streamsPb.AppendReq().setOptions(options));
    const message = new streamsPb.AppendReq.ProposedMessage();
    message.setId(new sharedPb.UUID().setString(event.id));
    message.getMetadataMap().set('type', event.type).set('content-type', event.contentType);
    message.setData(event.data);
    message.setCustomMetadata(event.metadata);
    call.write(new streamsPb.AppendReq().setProposedMessage(message));
    call.end();
  });
};
