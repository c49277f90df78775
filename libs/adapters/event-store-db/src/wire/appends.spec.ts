import { Revision } from '@app/kernel';
import eventStoreMessages from '@eventstore/db-client/generated/shared_pb.js';
import statusMessages from '@eventstore/db-client/generated/status_pb.js';
import generated from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { decodeAppendAnswer, encodeAppend } from './appends.js';

const { BatchAppendReq, BatchAppendResp } = generated;
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const bytes = fc.uint8Array({ maxLength: 400 });

/** Guarantee: this module and the generated classes read each other's output. */
describe('the messages of an append', () => {
  it('are requests of the generated classes', () =>
    fc.assert(
      fc.property(
        fc.record({
          correlation: fc.uuid(),
          stream: text,
          expected: fc.oneof(
            fc.constantFrom('any' as const, 'no-stream' as const),
            fc.nat({ max: Number.MAX_SAFE_INTEGER }).map((revision) => Revision(revision)),
          ),
          events: fc.array(fc.record({ id: fc.uuid(), type: text, data: bytes, metadata: bytes }), {
            maxLength: 5,
          }),
          deadline: fc.nat({ max: 8_640_000_000_000 }),
        }),
        (request) => {
          const read = BatchAppendReq.deserializeBinary(encodeAppend(request));
          const options = read.getOptions();
          expect(read.getCorrelationId()?.getString()).toBe(request.correlation);
          expect(read.getIsFinal()).toBe(true);
          expect(Buffer.from(options?.getStreamIdentifier()?.getStreamName_asU8() ?? [])).toEqual(
            Buffer.from(request.stream),
          );
          expect(options?.getDeadline()?.toDate().getTime()).toBe(request.deadline);
          expect(options?.hasAny()).toBe(request.expected === 'any');
          expect(options?.hasNoStream()).toBe(request.expected === 'no-stream');
          expect(options?.hasStreamPosition() ? Number(options.getStreamPosition()) : undefined).toBe(
            typeof request.expected === 'number' ? request.expected : undefined,
          );
          const events = read.getProposedMessagesList().map((message) => ({
            id: message.getId()?.getString(),
            type: message.getMetadataMap().get('type'),
            data: new Uint8Array(message.getData_asU8()),
            metadata: new Uint8Array(message.getCustomMetadata_asU8()),
          }));
          expect(events).toEqual(request.events);
          for (const message of read.getProposedMessagesList())
            expect(message.getMetadataMap().get('content-type')).toBe('application/json');
        },
      ),
    ));

  const uuids = fc.uuid().chain((id) => {
    const [most = '0', least = '0'] = id.replaceAll('-', '').match(/.{16}/g) ?? [];
    const half = (digits: string): string => String(BigInt.asIntN(64, BigInt(`0x${digits}`)));
    const structured = new eventStoreMessages.UUID.Structured()
      .setMostSignificantBits(half(most))
      .setLeastSignificantBits(half(least));
    return fc.constantFrom(
      { id, uuid: new eventStoreMessages.UUID().setString(id) },
      { id, uuid: new eventStoreMessages.UUID().setStructured(structured) },
    );
  });

  it('are answers of the generated classes', () =>
    fc.assert(
      fc.property(
        uuids,
        fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { nil: undefined }),
        ({ id, uuid }, revision) => {
          const answer = new BatchAppendResp().setCorrelationId(uuid);
          if (revision === undefined) answer.setError(new statusMessages.Status().setMessage('no'));
          else answer.setSuccess(new BatchAppendResp.Success().setCurrentRevision(String(revision)));
          const read = decodeAppendAnswer(Buffer.from(answer.serializeBinary()));
          expect(read).toEqual({
            correlation: id,
            revision: revision ?? 0n,
            isFailure: revision === undefined,
          });
        },
      ),
    ));
});
