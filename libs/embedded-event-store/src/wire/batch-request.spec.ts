import eventStoreMessages from '@eventstore/db-client/generated/shared_pb.js';
import generated from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import wellKnown from 'google-protobuf/google/protobuf/empty_pb.js';
import timestamps from 'google-protobuf/google/protobuf/timestamp_pb.js';
import { readBatchRequest } from './batch-request.js';

/** Guarantee: requests of the generated classes are parsed as the generated classes parse them. */
describe('batch request', () => {
  const { BatchAppendReq } = generated;
  const bytes = fc.uint8Array({ maxLength: 200 });
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
  const uuids = fc.oneof(
    fc.uuid().map((text) => new eventStoreMessages.UUID().setString(text)),
    fc
      .tuple(int64, int64)
      .map(([most, least]) =>
        new eventStoreMessages.UUID().setStructured(
          new eventStoreMessages.UUID.Structured()
            .setMostSignificantBits(most)
            .setLeastSignificantBits(least),
        ),
      ),
  );
  const messages = fc
    .record({ id: uuids, type: fc.string({ unit: 'grapheme' }), metadata: bytes, data: bytes })
    .map(({ id, type, metadata, data }) => {
      const message = new BatchAppendReq.ProposedMessage()
        .setId(id)
        .setData(data)
        .setCustomMetadata(metadata);
      message.getMetadataMap().set('type', type).set('content-type', 'application/json');
      return message;
    });
  const options = fc
    .record({
      name: fc.string({ unit: 'grapheme', maxLength: 40 }),
      expected: fc.oneof(
        fc.constantFrom('any', 'none', 'exists'),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      ),
      deadline: fc.option(fc.date({ noInvalidDate: true }), { nil: undefined }),
    })
    .map(({ name, expected, deadline }) => {
      const chosen = new BatchAppendReq.Options().setStreamIdentifier(
        new eventStoreMessages.StreamIdentifier().setStreamName(Buffer.from(name)),
      );
      if (typeof expected === 'bigint') chosen.setStreamPosition(String(expected));
      else if (expected === 'any') chosen.setAny(new wellKnown.Empty());
      else if (expected === 'none') chosen.setNoStream(new wellKnown.Empty());
      else chosen.setStreamExists(new wellKnown.Empty());
      return deadline ? chosen.setDeadline(timestamps.Timestamp.fromDate(deadline)) : chosen;
    });

  it('parses every request as the generated classes do', () =>
    fc.assert(
      fc.property(
        uuids,
        fc.option(options, { nil: undefined }),
        fc.array(messages, { maxLength: 4 }),
        fc.boolean(),
        (id, chosen, proposed, final) => {
          const request = new BatchAppendReq()
            .setCorrelationId(id)
            .setIsFinal(final)
            .setProposedMessagesList(proposed);
          if (chosen) request.setOptions(chosen);

          const read = readBatchRequest(Buffer.from(request.serializeBinary()));

          expect(read.correlation).toEqual(Buffer.from(id.serializeBinary()));
          expect(read.isFinal).toBe(final);
          expect(read.options?.streamPosition).toBe(
            chosen?.hasStreamPosition() ? chosen.getStreamPosition() : undefined,
          );
          expect(read.options?.hasAny()).toBe(chosen?.hasAny());
          expect(read.options?.hasNoStream()).toBe(chosen?.hasNoStream());
          expect(read.options?.hasStreamExists()).toBe(chosen?.hasStreamExists());
          expect(read.options?.deadline).toBe(chosen?.getDeadline()?.toDate().getTime());
          expect(read.options?.streamIdentifier?.getStreamName_asU8()).toEqual(
            chosen && Buffer.from(chosen.getStreamIdentifier()?.getStreamName_asU8() ?? []),
          );
          expect(read.messages).toHaveLength(proposed.length);
          for (const [at, message] of proposed.entries()) {
            const mine = read.messages[at];
            expect(mine?.getId()?.getString()).toBe(message.getId()?.getString());
            expect(mine?.getId()?.getStructured()?.getMostSignificantBits()).toBe(
              message.getId()?.getStructured()?.getMostSignificantBits(),
            );
            expect(mine?.getId()?.getStructured()?.getLeastSignificantBits()).toBe(
              message.getId()?.getStructured()?.getLeastSignificantBits(),
            );
            expect(mine?.getMetadataMap().get('type')).toBe(message.getMetadataMap().get('type'));
            expect(mine?.getMetadataMap().get('content-type')).toBe('application/json');
            expect(mine?.getData_asU8()).toEqual(Buffer.from(message.getData_asU8()));
            expect(mine?.getCustomMetadata_asU8()).toEqual(Buffer.from(message.getCustomMetadata_asU8()));
          }
        },
      ),
    ));
});
