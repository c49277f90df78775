import conversion from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import eventStoreMessages from '@eventstore/db-client/generated/shared_pb.js';
import generated from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { LogRecords, ReadAnswer } from './read-answer.js';

const { ReadResp } = generated;
const { ReadEvent } = ReadResp;
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const bytes = fc.uint8Array({ maxLength: 300 });
const place = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const identifier = (name: string) =>
  new eventStoreMessages.StreamIdentifier().setStreamName(Buffer.from(name));

const half = (digits = '0'): string => String(BigInt.asIntN(64, BigInt(`0x${digits}`)));
const uuids = fc.uuid({ version: 4 }).chain((id) => {
  const [most, least] = id.replaceAll('-', '').match(/.{16}/g) ?? [];
  return fc.constantFrom(
    new eventStoreMessages.UUID().setString(id),
    new eventStoreMessages.UUID().setStructured(
      new eventStoreMessages.UUID.Structured()
        .setMostSignificantBits(half(most))
        .setLeastSignificantBits(half(least)),
    ),
  );
});
const recorded = fc
  .record({
    ...{ id: uuids, stream: text, revision: place, prepare: place, commit: place, type: text },
    isJson: fc.boolean(),
    json: fc.jsonValue(),
    ...{ metadata: bytes, data: bytes },
  })
  .map(({ id, stream, revision, prepare, commit, type, isJson, json, metadata, data }) => {
    const event = new ReadEvent.RecordedEvent()
      .setId(id)
      .setStreamIdentifier(identifier(stream))
      .setStreamRevision(String(revision))
      .setPreparePosition(String(prepare))
      .setCommitPosition(String(commit))
      .setCustomMetadata(isJson ? Buffer.from(JSON.stringify({ json })) : metadata)
      .setData(isJson ? Buffer.from(JSON.stringify(json)) : data);
    event.getMetadataMap().set('type', type).set('created', '17000000000000000');
    event.getMetadataMap().set('content-type', isJson ? 'application/json' : 'application/octet-stream');
    return event;
  });

/** Guarantee: answers of reads are decoded as the generated classes and the client decode them. */
describe('answers of reads', () => {
  it('hold the events that the client finds in them', () =>
    fc.assert(
      fc.property(
        recorded,
        fc.option(recorded, { nil: undefined }),
        fc.option(place, { nil: undefined }),
        (recorded, link, commit) => {
          const resolved = new ReadEvent().setEvent(recorded);
          if (link) resolved.setLink(link);
          if (commit !== undefined) resolved.setCommitPosition(String(commit));
          const message = new ReadResp().setEvent(resolved).serializeBinary();
          const [mine, theirs] = [new ReadAnswer(Buffer.from(message)), ReadResp.deserializeBinary(message)];
          expect(mine.hasEvent()).toBe(true);
          const read: unknown = Reflect.apply(conversion.convertGrpcEvent, undefined, [mine.getEvent()]);
          const expected = Reflect.apply(conversion.convertGrpcEvent, undefined, [theirs.getEvent()]);
          expect(plain(read)).toEqual(plain(expected));
          const { created: _, isJson: __, position, ...event } = expected.event;
          const record = { ...event, position: { commit: position.commit } };
          expect(plain(new LogRecords().recordIn(mine))).toEqual(plain(record));
        },
      ),
    ));

  it('answer the other calls of the client', () =>
    fc.assert(
      fc.property(text, place, place, (name, commit, prepare) => {
        const answers = [
          new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId(name)),
          new ReadResp().setCheckpoint(
            new ReadResp.Checkpoint().setCommitPosition(String(commit)).setPreparePosition(String(prepare)),
          ),
          new ReadResp().setStreamNotFound(
            new ReadResp.StreamNotFound().setStreamIdentifier(identifier(name)),
          ),
          new ReadResp().setCaughtUp(new ReadResp.CaughtUp()),
          new ReadResp().setFellBehind(new ReadResp.FellBehind()),
        ];
        for (const theirs of answers) {
          const mine = new ReadAnswer(Buffer.from(theirs.serializeBinary()));
          expect(mine.hasEvent()).toBe(false);
          expect(mine.hasConfirmation()).toBe(theirs.hasConfirmation());
          expect(mine.getConfirmation().getSubscriptionId()).toBe(
            theirs.getConfirmation()?.getSubscriptionId() ?? '',
          );
          expect(mine.hasCheckpoint()).toBe(theirs.hasCheckpoint());
          expect(String(mine.getCheckpoint().getCommitPosition())).toBe(
            theirs.getCheckpoint()?.getCommitPosition() ?? '0',
          );
          expect(String(mine.getCheckpoint().getPreparePosition())).toBe(
            theirs.getCheckpoint()?.getPreparePosition() ?? '0',
          );
          expect(mine.hasStreamNotFound()).toBe(theirs.hasStreamNotFound());
          expect(mine.getStreamNotFound().getStreamIdentifier().getStreamName()).toEqual(
            Buffer.from(theirs.getStreamNotFound()?.getStreamIdentifier()?.getStreamName_asU8() ?? []),
          );
          expect(mine.hasCaughtUp()).toBe(theirs.hasCaughtUp());
          expect(mine.hasFellBehind()).toBe(theirs.hasFellBehind());
        }
      }),
    ));
});

/** Bytes of any class compare equal. */
const plain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
};
